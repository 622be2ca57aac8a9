"""What is compared: which contenders, with which settings, in which order."""

import re
from pathlib import Path

import pytest

from heed import api
from heed.comparing.trials import plan_changes, plan_models
from heed.errors import SettingsError, UsageError
from heed.runs.defaults import resolve
from heed.runs.settings import ClassificationSettings


def test_every_contender_is_trained_once_before_the_second_seed_begins() -> None:
    plan = plan_models("classify", [], ["lstm", "gru"], 2, {})
    assert [trial.name for trial in plan.trials()] == ["lstm-1", "gru-1", "lstm-2", "gru-2"]
    assert [trial.settings.training.seed for trial in plan.trials()] == [1, 1, 2, 2]


def test_the_baseline_that_draws_nothing_at_random_is_trained_once() -> None:
    plan = plan_models("classify", [], ["tfidf", "gru"], 3, {})
    assert [trial.name for trial in plan.trials()] == ["tfidf-1", "gru-1", "gru-2", "gru-3"]
    assert plan.baseline == "tfidf"


def test_settings_that_are_given_hold_for_every_contender() -> None:
    plan = plan_models("classify", ["a.csv"], ["lstm", "textcnn"], 1, {"training": {"minutes": 2}})
    assert {each.settings.training.minutes for each in plan.contenders} == {2.0}
    assert plan.baseline is None


def test_a_change_keeps_all_other_settings_of_the_run() -> None:
    settings = resolve("classify", [], "transformer", {"training": {"steps": 7}})
    plan = plan_changes(settings, ["positions=learned,none", "training.learning_rate=0.01"], 1)
    names = [each.name for each in plan.contenders]
    assert names == ["unchanged", "positions=learned", "positions=none", "training.learning_rate=0.01"]
    assert plan.contenders[1].settings.model.positions == "learned"
    assert all(each.settings.training.steps == 7 for each in plan.contenders)
    assert plan.baseline == "unchanged"


def test_a_value_that_the_run_has_already_is_not_trained_twice() -> None:
    settings = resolve("translate", [], None, {})
    plan = plan_changes(settings, ["positions=sinusoid,rotary"], 1)
    assert [each.name for each in plan.contenders] == ["unchanged", "positions=rotary"]


@pytest.mark.parametrize(
    ("over", "message"),
    [
        (["positions"], "cannot be read"),
        (["positions="], "cannot be read"),
        (["positions=sinusoid"], "changes nothing"),
    ],
)
def test_a_change_that_is_none_is_refused(over: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        plan_changes(resolve("translate", [], None, {}), over, 1)


def test_a_change_of_something_unknown_names_the_nearest() -> None:
    with pytest.raises(SettingsError, match=r"^settings\.model\.position is .* Did you mean 'positions'"):
        plan_changes(resolve("translate", [], None, {}), ["position=learned"], 1)


@pytest.mark.parametrize("seeds", [0, 101])
def test_a_number_of_seeds_that_makes_no_sense_is_refused(seeds: int) -> None:
    with pytest.raises(UsageError, match=f"--seeds is {seeds}"):
        plan_models("classify", [], ["gru"], seeds, {})


@pytest.mark.parametrize(
    ("models", "message"), [([], "No model"), (["gru", "gru"], "twice"), (["gro"], "no model 'gro'")]
)
def test_models_that_cannot_be_compared_are_refused(models: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        plan_models("classify", [], models, 1, {})


def test_a_trained_bert_competes_under_the_name_of_its_folder(tmp_path: Path) -> None:
    model = {"kind": "bert", "width": 8, "heads": 2, "layers": 1, "feedforward": 12, "longest": 40}
    training = {"steps": 1, "tokens_per_batch": 200}
    api.train("classify", settings={"model": model, "training": training}, out=tmp_path / "mine")
    plan = plan_models("classify", [], ["tfidf", f"bert:{tmp_path / 'mine'}"], 1, {})
    assert [contender.name for contender in plan.contenders] == ["tfidf", "bert:mine"]
    settings = plan.contenders[1].settings
    assert isinstance(settings, ClassificationSettings)
    assert settings.base == str(tmp_path / "mine")
    assert [trial.name for trial in plan.trials()] == ["tfidf-1", "bert_mine-1"]


def test_two_trained_models_in_folders_of_one_name_are_refused() -> None:
    with pytest.raises(UsageError, match="Two contenders would be called bert:run"):
        plan_models("classify", [], ["bert:a/run", "bert:b/run"], 1, {})


def test_two_contenders_whose_names_differ_but_not_their_folders_are_refused() -> None:
    with pytest.raises(UsageError, match="bert:a run and bert:a_run would share the folder trials/bert_a_run-1"):
        plan_models("classify", [], ["bert:x/a run", "bert:x/a_run"], 1, {})


@pytest.mark.parametrize(
    ("over", "second"),
    [
        (["training.seed=7"], "unchanged and training.seed=7"),
        (["training.learning_rate=0.01,1e-2"], "training.learning_rate=0.01 and training.learning_rate=1e-2"),
    ],
)
def test_two_contenders_that_would_be_the_same_model_are_refused(over: list[str], second: str) -> None:
    with pytest.raises(UsageError, match=f"{re.escape(second)} would be the same model"):
        plan_changes(resolve("classify", [], "transformer", {}), over, 1)


def test_settings_that_a_linear_model_does_not_use_make_no_other_model() -> None:
    with pytest.raises(SettingsError, match=r"training\.learning_rate is 0\.5, but model tfidf"):
        plan_changes(resolve("classify", [], "tfidf", {}), ["training.learning_rate=0.5"], 1)


def test_one_change_that_is_asked_for_twice_is_refused() -> None:
    with pytest.raises(UsageError, match="Two contenders would be called layers=3"):
        plan_changes(resolve("classify", [], "transformer", {}), ["layers=3", "model.layers=3"], 1)
