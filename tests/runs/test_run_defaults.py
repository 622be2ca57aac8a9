"""What a run becomes from the words of a command: whose value wins, which limit holds, which folder is free."""

from pathlib import Path

import pytest

from heed import api
from heed.errors import SettingsError, UsageError
from heed.models.rnn_seq2seq import RnnSettings
from heed.models.transformer import TransformerSettings
from heed.runs.defaults import DEMO_TRANSFORMER, MINUTES, free_folder, resolve
from heed.runs.settings import RunSettings, read_settings
from heed.settings import to_dict
from heed.training.settings import TrainingSettings


def limits(settings: RunSettings) -> tuple[int | None, int | None, float | None]:
    training = settings.training
    return training.steps, training.epochs, training.minutes


def test_without_data_a_small_model_learns_the_demo_in_so_many_steps() -> None:
    settings = resolve("translate", [], None, {})
    assert settings.data.train == ("demo:fr-en",)
    assert settings.tokens.kind == "words"
    assert isinstance(settings.model, TransformerSettings)
    assert settings.model.width == DEMO_TRANSFORMER["width"]
    assert limits(settings) == (500, None, None)


def test_ones_own_data_gets_the_default_model_and_a_budget_of_minutes() -> None:
    settings = resolve("translate", ["pairs.tsv"], None, {})
    assert settings.data.train == ("pairs.tsv",)
    assert settings.tokens.kind == "bpe"
    assert settings.model == TransformerSettings()
    assert limits(settings) == (None, None, MINUTES)


@pytest.mark.parametrize("data", [[], ["pairs.tsv"]])
@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"steps": 7}, (7, None, None)),
        ({"epochs": 3}, (None, 3, None)),
        ({"minutes": 2.5}, (None, None, 2.5)),
        ({"epochs": 3, "steps": None}, (None, 3, None)),
        ({"epochs": 3, "steps": "none"}, (None, 3, None)),
    ],
)
def test_the_limit_that_is_given_is_the_only_one(
    data: list[str], given: dict[str, object], expected: tuple[object, ...]
) -> None:
    assert limits(resolve("translate", data, None, {"training": given})) == expected


@pytest.mark.parametrize("nothing", [None, "none"])
def test_no_limit_is_no_way_to_train_for_ever(nothing: str | None) -> None:
    assert limits(resolve("translate", ["pairs.tsv"], None, {"training": {"steps": nothing}})) == (None, None, MINUTES)


def test_a_recurrent_classifier_takes_larger_batches_unless_told_otherwise() -> None:
    def batch(data: list[str], model: str, given: dict[str, object]) -> int:
        return resolve("classify", data, model, {"training": given}).training.tokens_per_batch

    assert [batch(["t.csv"], model, {}) for model in ("textcnn", "gru", "transformer")] == [4096, 8192, 4096]
    assert batch(["t.csv"], "gru", {"tokens_per_batch": 100}) == 100
    assert batch([], "gru", {}) == batch([], "textcnn", {}) == 2048


@pytest.mark.parametrize("task", ["image", "caption"])
@pytest.mark.parametrize("data", [[], ["photos"]])
def test_pictures_are_learnt_by_muon_and_by_adamw_at_a_rate_that_it_bears(task: str, data: list[str]) -> None:
    def training(**given: object) -> TrainingSettings:
        return resolve(task, data, None, {"training": given}).training

    usual, asked = training(), training(optimizer="adamw")
    assert (usual.optimizer, asked.optimizer) == ("muon", "adamw")
    assert usual.learning_rate >= 2e-3 > asked.learning_rate
    assert training(optimizer="adamw", learning_rate=0.5).learning_rate == 0.5
    assert training(optimizer="muon") == usual


def test_two_limits_are_refused() -> None:
    with pytest.raises(SettingsError, match="training has steps and epochs"):
        resolve("translate", [], None, {"training": {"steps": 7, "epochs": 2}})


def test_a_named_model_takes_the_place_of_the_demos_own_and_is_changed_by_what_is_given() -> None:
    settings = resolve("translate", [], "gru", {"model": {"width": 32}})
    assert settings.model == RnnSettings(cell="gru", width=32)


def test_another_kind_of_model_in_the_settings_takes_nothing_from_the_demos() -> None:
    settings = resolve("translate", [], None, {"model": {"kind": "rnn", "cell": "gru"}})
    assert settings.model == RnnSettings(cell="gru")


def test_data_named_in_the_settings_is_not_taken_for_the_demo() -> None:
    settings = resolve("translate", [], None, {"data": {"train": ["pairs.tsv"], "columns": ["a", "b"]}})
    assert settings.data.train == ("pairs.tsv",)
    assert settings.data.columns == ("a", "b")
    assert settings.tokens.kind == "bpe"
    assert limits(settings) == (None, None, MINUTES)


def test_data_named_in_the_command_wins_over_the_settings() -> None:
    settings = resolve("translate", ["mine.tsv"], None, {"data": {"train": ["demo:fr-en"], "valid": ["v.tsv"]}})
    assert settings.data.train == ("mine.tsv",)
    assert settings.data.valid == ("v.tsv",)
    assert settings.tokens.kind == "bpe"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"data": "pairs.tsv"}, r"settings\.data is 'pairs\.tsv'"),
        ({"data": {"train": "pairs.tsv"}}, r"settings\.data\.train is 'pairs\.tsv'"),
        ({"data": {"columns": ["en"]}}, r"data\.columns is \['en'\]; task translate needs 2 names"),
        ({"training": 5}, r"settings\.training is 5"),
        ({"modle": {}}, r"modle.*Did you mean 'model'"),
        ({"model": {"widht": 3}}, r"widht.*Did you mean 'width'"),
        ({"task": "classify"}, r"settings\.task is 'classify'"),
    ],
)
def test_settings_that_cannot_be_read_are_refused_by_name(given: dict[str, object], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        resolve("translate", [], None, given)


def test_an_unknown_task_and_an_unknown_model_are_refused_with_those_that_exist() -> None:
    with pytest.raises(UsageError, match=r"no task 'translat'\. Choose one of: translate"):
        resolve("translat", [], None, {})
    with pytest.raises(UsageError, match=r"no model 'bert' for this task\. Choose one of: transformer, .*lstm"):
        resolve("translate", [], "bert", {})


@pytest.mark.parametrize("model", [None, "lstm", "transformer-tiny"])
def test_resolved_settings_come_back_from_their_file_as_they_were(model: str | None) -> None:
    settings = resolve("translate", ["a.en", "a.fr"], model, {"training": {"epochs": 2}})
    assert read_settings(to_dict(settings), "settings") == settings


def test_a_free_folder_is_named_for_what_it_holds_and_does_not_exist(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = resolve("translate", [], "gru", {})
    assert free_folder("translate", settings) == Path("runs/translate-gru-1")
    Path("runs/translate-gru-1").mkdir(parents=True)
    assert free_folder("translate", settings) == Path("runs/translate-gru-2")


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run that trained a tiny BERT for one step."""
    path = tmp_path_factory.mktemp("base") / "bert"
    model = {"kind": "bert", "width": 8, "heads": 2, "layers": 2, "feedforward": 12, "longest": 80}
    api.train("classify", settings={"model": model, "training": {"steps": 1, "tokens_per_batch": 200}}, out=path)
    return path


@pytest.mark.parametrize("task", ["classify", "pair", "tag", "answer", "pretrain"])
def test_a_model_that_knows_the_language_takes_small_steps_on_a_demo_too(task: str, bert: Path) -> None:
    started, fresh = resolve(task, [], None, {"base": str(bert)}), resolve(task, [], None, {})
    assert started.training.learning_rate <= 2e-4 < fresh.training.learning_rate
    assert started.training.steps == fresh.training.steps
