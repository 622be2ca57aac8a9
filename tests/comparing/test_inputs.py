"""A comparison reuses nothing that was trained or tested on other records, whatever the files are called."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from heed import __version__
from heed.comparing.compare import Began, Distrusted, Measured, compare
from heed.comparing.inputs import inputs_from, load_test
from heed.comparing.store import ComparisonFolder, open_comparison
from heed.comparing.trials import Contender, Plan, plan_changes, plan_models
from heed.errors import RunError, UsageError
from heed.runs.defaults import resolve

SPLITS = ("train", "valid", "test")


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    """Return the folder of three tables, one a split."""
    for split in SPLITS:
        rows = [
            f"{noun} {word} {number},{label}"
            for number in range(6)
            for noun in ("soup", "tea")
            for word, label in (("tasty", "good"), ("stale", "bad"))
        ]
        (tmp_path / f"{split}.csv").write_text("\n".join(["text,label", *(f"{split} {row}" for row in rows)]) + "\n")
    return tmp_path


@pytest.fixture
def plan(tables: Path) -> Plan:
    """Return a plan of two models that train in a moment."""
    data = {split: [str(tables / f"{split}.csv")] for split in ("valid", "test")}
    training = {"steps": 2, "validations": 1, "threads": 1}
    given = {"data": data, "tokens": {"kind": "words"}, "model": {"embedding": 8}, "training": training}
    return plan_models("classify", [str(tables / "train.csv")], ["textcnn", "gru"], 1, given)


def opened(plan: Plan, path: Path) -> ComparisonFolder:
    """Return the folder as a command opens it."""
    return open_comparison(path, plan, load_test(plan).inputs)


def compared(plan: Plan, path: Path) -> ComparisonFolder:
    """Return the folder of a comparison that came to its end."""
    folder = opened(plan, path)
    list(compare(plan, folder, load_test(plan)))
    return folder


def change(path: Path) -> None:
    """Change one word; the file keeps its name and its size."""
    path.write_text(path.read_text().replace("soup tasty 3", "tea1 tasty 3"))


def as_before(folder: ComparisonFolder) -> None:
    """Take away what 0.5.0 did not write."""
    plan = json.loads((folder.path / "plan.json").read_text())
    del plan["inputs"]
    (folder.path / "plan.json").write_text(json.dumps(plan, indent=2, sort_keys=True) + "\n")
    for path in (folder.path / "results").iterdir():
        result = json.loads(path.read_text())
        del result["inputs"], result["circumstances"]
        path.write_text(json.dumps(result))


@pytest.mark.parametrize(("split", "said"), [("train", "training"), ("valid", "validation"), ("test", "test")])
def test_a_comparison_whose_data_changed_under_the_same_name_is_refused(
    plan: Plan, tables: Path, tmp_path: Path, split: str, said: str
) -> None:
    compared(plan, tmp_path / "which")
    before = load_test(plan).inputs["gru"][split].digest[:10]
    change(tables / f"{split}.csv")
    now = load_test(plan).inputs["gru"][split].digest[:10]
    with pytest.raises(RunError, match=rf"{said} data of .*which changed: {before} .24 records. before, {now} .*--out"):
        opened(plan, tmp_path / "which")


def test_data_that_changed_before_the_first_trial_was_trained_is_refused_too(
    plan: Plan, tables: Path, tmp_path: Path
) -> None:
    opened(plan, tmp_path / "which")
    change(tables / "test.csv")
    with pytest.raises(RunError, match=r"test data of .* changed"):
        opened(plan, tmp_path / "which")


def test_a_result_is_not_reused_for_other_data_even_if_the_plan_has_the_new_fingerprints(
    plan: Plan, tables: Path, tmp_path: Path
) -> None:
    folder = compared(plan, tmp_path / "which")
    change(tables / "test.csv")
    with pytest.raises(RunError, match=r"test data of .* changed"):
        list(compare(plan, folder, load_test(plan)))


def test_a_finished_run_that_was_trained_on_other_data_is_not_measured(
    plan: Plan, tables: Path, tmp_path: Path
) -> None:
    folder = compared(plan, tmp_path / "which")
    for path in (folder.path / "results").iterdir():
        path.unlink()
    change(tables / "train.csv")
    with pytest.raises(RunError, match=r"training data of .* changed"):
        list(compare(plan, folder, load_test(plan)))


def test_a_result_of_an_older_heed_is_measured_again_and_its_run_is_not_trained_again(
    plan: Plan, tables: Path, tmp_path: Path
) -> None:
    as_before(compared(plan, tmp_path / "which"))
    change(tables / "test.csv")
    events = list(compare(plan, opened(plan, tmp_path / "which"), load_test(plan)))
    assert [type(event) for event in events] == [Distrusted, Measured, Distrusted, Measured]
    assert [event.earlier for event in events if isinstance(event, Measured)] == [False, False]
    known = json.loads((tmp_path / "which/results/gru-1.json").read_text())["inputs"]
    assert inputs_from(known) == load_test(plan).inputs["gru"]


def test_a_comparison_of_an_older_heed_whose_runs_have_other_training_data_is_refused(
    plan: Plan, tables: Path, tmp_path: Path
) -> None:
    as_before(compared(plan, tmp_path / "which"))
    change(tables / "train.csv")
    with pytest.raises(RunError, match=r"training data of .* changed"):
        opened(plan, tmp_path / "which")


def test_a_comparison_that_an_older_heed_began_goes_on_and_is_protected_from_then_on(
    plan: Plan, tables: Path, tmp_path: Path
) -> None:
    as_before(compared(plan, tmp_path / "which"))
    opened(plan, tmp_path / "which")
    change(tables / "test.csv")
    with pytest.raises(RunError, match=r"test data of .* changed"):
        opened(plan, tmp_path / "which")


def test_a_plan_without_a_setting_that_came_later_is_the_same_plan(plan: Plan, tmp_path: Path) -> None:
    path = compared(plan, tmp_path / "which").path / "plan.json"
    older = json.loads(path.read_text())
    for settings in older["contenders"].values():
        del settings["training"]["label_smoothing"]
    path.write_text(json.dumps(older, indent=2))
    assert {type(event) for event in compare(plan, opened(plan, path.parent), load_test(plan))} == {Measured}


def test_a_comparison_on_an_older_split_says_how_to_go_on_with_it(tables: Path, tmp_path: Path) -> None:
    rows = [f"soup {n},{'good' if n % 2 else 'bad'}" for n in range(200)]
    (tables / "all.csv").write_text("\n".join(["text,label", *rows]) + "\n")
    training = {"steps": 1, "validations": 1, "threads": 1}

    def planned(split: str) -> Plan:
        given = {"data": {"split": split}, "tokens": {"kind": "words"}, "training": training}
        return plan_models("classify", [str(tables / "all.csv")], ["textcnn", "gru"], 1, given)

    folder = opened(planned("by-record"), tmp_path / "which")
    older = json.loads((folder.path / "plan.json").read_text())
    del older["inputs"]
    for settings in older["contenders"].values():
        del settings["data"]["split"], settings["data"]["group"]
    (folder.path / "plan.json").write_text(json.dumps(older))
    with pytest.raises(RunError, match=r"which was begun before heed 0.6.*add --set data.split=by-record; for a new"):
        opened(planned("grouped"), tmp_path / "which")
    opened(planned("by-record"), tmp_path / "which")


def test_other_settings_are_another_plan(plan: Plan, tmp_path: Path) -> None:
    compared(plan, tmp_path / "which")
    first, second = plan.contenders
    longer = replace(second.settings, training=replace(second.settings.training, steps=3))
    changed = replace(plan, contenders=(first, Contender(second.name, longer)))
    with pytest.raises(RunError, match=r"holds another comparison .with other contenders"):
        opened(changed, tmp_path / "which")


def test_a_plan_that_cannot_be_read_is_another_plan(plan: Plan, tmp_path: Path) -> None:
    compared(plan, tmp_path / "which")
    (tmp_path / "which/plan.json").write_text("[1")
    with pytest.raises(RunError, match=r"holds another comparison .its plan\.json is damaged"):
        opened(plan, tmp_path / "which")


@pytest.mark.parametrize("change", [lambda result: {**result, "contender": "gru"}, lambda _: ["curve"]])
def test_a_result_file_that_is_not_the_trials_own_is_measured_anew(
    plan: Plan, tmp_path: Path, change: Callable[[object], object]
) -> None:
    folder = compared(plan, tmp_path / "which")
    path = folder.path / "results/textcnn-1.json"
    path.write_text(json.dumps(change(json.loads(path.read_text()))))
    events = list(compare(plan, folder, load_test(plan)))
    assert [event.earlier for event in events if isinstance(event, Measured)] == [False, True]
    assert not any(isinstance(event, Began) for event in events)


def test_contenders_that_would_be_tested_on_different_records_are_refused(tables: Path) -> None:
    settings = resolve("classify", [str(tables / "train.csv")], "gru", {"training": {"steps": 2}})
    plan = plan_changes(settings, [f'data.train=["{tables / "valid.csv"}"]'], 1)
    with pytest.raises(UsageError, match=r"would be tested on other data than unchanged.*Give --test"):
        load_test(plan)


def test_contenders_that_are_trained_on_different_records_are_known_each_by_its_own(plan: Plan, tables: Path) -> None:
    settings = plan.contenders[1].settings
    changed = plan_changes(settings, [f'data.train=["{tables / "valid.csv"}"]'], 1)
    own, other = load_test(changed).inputs.values()
    assert own["test"] == other["test"]
    assert own["train"] != other["train"]


def test_word_vectors_that_changed_are_told(plan: Plan, tables: Path, tmp_path: Path) -> None:
    vectors = tables / "vectors.txt"
    vectors.write_text("soup 1 2 3 4 5 6 7 8\n")
    settings = replace(plan.contenders[1].settings, vectors=str(vectors))
    plan = Plan((Contender("gru", settings),), 1, None)
    compared(plan, tmp_path / "which")
    vectors.write_text("soup 8 7 6 5 4 3 2 1\n")
    with pytest.raises(RunError, match=r"weights to start from .vectors. of .* changed: .* .1 files. before"):
        opened(plan, tmp_path / "which")


def test_a_result_says_what_trained_its_run_and_not_what_measured_it(
    plan: Plan, tables: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = {"data": {"test": [str(tables / "test.csv")], "valid": [str(tables / "valid.csv")]}}
    tfidf = plan_models("classify", [str(tables / "train.csv")], ["tfidf"], 1, given).contenders
    plan = replace(plan, contenders=(plan.contenders[1], *tfidf))
    as_before(compared(plan, tmp_path / "which"))
    monkeypatch.setattr("heed.runs.recording.__version__", "9.9.9")
    events = list(compare(plan, opened(plan, tmp_path / "which"), load_test(plan)))
    trained = {event.result.contender: event.result.circumstances for event in events if isinstance(event, Measured)}
    assert trained["gru"]["heed"] == __version__
    assert trained["tfidf"] == {}  # it keeps no checkpoint that would say so
