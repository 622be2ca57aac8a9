"""An evaluation tells apart what a run has trained on, validated on and never seen, for every task."""

import shutil
import sys
from pathlib import Path

import pytest

from heed import api
from heed.errors import DataError, RunError, UsageError
from heed.prediction.evaluated import evaluate_apart
from heed.runs import documents
from heed.runs.examples import SeenExamples, digests_of
from heed.runs.folder import open_run

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "runs"))
from every_task import EVERY, SmallTask, settings_of

TRAINED, VALIDATED, TESTED = range(24), range(24, 33), range(33, 40)
WITH_TEST = sorted(set(EVERY) - {"pretrain"})


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return a folder for each task with `train`, `valid` and `test` in it, and a `run` on these."""
    folders = {}
    for name, small in EVERY.items():
        folder = tmp_path_factory.mktemp("task")
        train, valid = small.write(folder / "train", TRAINED, ""), small.write(folder / "valid", VALIDATED, "")
        test = small.write(folder / "test", TESTED, "") if name in WITH_TEST else ""
        api.train(small.task, train, settings=settings_of(small, valid, test), out=folder / "run")
        folders[name] = folder
    return folders


def file_of(folder: Path, name: str) -> str:
    """Return what was written under a name, whatever its suffix."""
    (path,) = (path for path in folder.glob(f"{name}*") if path.stem == name)
    return str(path / "captions.csv") if (path / "captions.csv").is_file() else str(path)


def counts_of(found: api.AnyEvaluated) -> dict[str, int]:
    return {part.side: len(part.rows) for part in found.parts}


def copied(folder: Path, to: Path) -> Path:
    return Path(shutil.copytree(folder / "run", to / "run"))


@pytest.mark.parametrize("name", sorted(EVERY))
def test_on_the_training_file_everything_is_seen_in_training_and_nothing_passes_for_a_test_score(
    name: str, runs: dict[str, Path]
) -> None:
    found = api.evaluate(runs[name] / "run", file_of(runs[name], "train"))
    assert list(counts_of(found)) == ["training"]
    assert found.unseen is None
    assert found.training is not None
    assert found.sentence.startswith(f"NOT A TEST SCORE: all {found.examples:,} {EVERY[name].noun} were in the run's")


@pytest.mark.parametrize("name", sorted(EVERY))
def test_on_the_validation_file_everything_is_seen_in_validation(name: str, runs: dict[str, Path]) -> None:
    found = api.evaluate(runs[name] / "run", file_of(runs[name], "valid"))
    assert list(counts_of(found)) == ["validation"]
    assert found.sentence.startswith("NOT A TEST SCORE")


@pytest.mark.parametrize("name", sorted(EVERY))
def test_new_examples_are_unseen(name: str, runs: dict[str, Path], tmp_path: Path) -> None:
    found = api.evaluate(runs[name] / "run", EVERY[name].write(tmp_path / "new", range(60, 66), ""))
    assert list(counts_of(found)) == ["unseen"]
    assert found.own_test == 0
    assert found.sentence.startswith("None of these")


def mixed(small: SmallTask, folder: Path) -> str:
    """Write three training, two validation, one test and four new examples, in no order."""
    return small.write(folder / "mixed", [60, 3, 25, 61, 4, 35, 62, 26, 5, 63], "")


@pytest.mark.parametrize("name", sorted(EVERY))
def test_a_mixed_file_is_scored_in_three_parts_of_which_the_unseen_comes_first(
    name: str, runs: dict[str, Path], tmp_path: Path
) -> None:
    found = api.evaluate(runs[name] / "run", mixed(EVERY[name], tmp_path))
    assert list(counts_of(found)) == ["unseen", "validation", "training"]
    assert sorted(row for part in found.parts for row in part.rows) == list(range(found.examples))
    if EVERY[name].many == 1:
        assert counts_of(found) == {"unseen": 5, "validation": 2, "training": 3}
        assert found.own_test == (1 if name in WITH_TEST else 0)


def test_the_parts_have_the_scores_of_their_own_examples(runs: dict[str, Path], tmp_path: Path) -> None:
    small = EVERY["classify"]
    found = api.evaluate(runs["classify"] / "run", mixed(small, tmp_path))
    apart = {"unseen": [60, 61, 35, 62, 63], "validation": [25, 26], "training": [3, 4, 5]}
    for part in found.parts:
        alone = api.evaluate(runs["classify"] / "run", small.write(tmp_path / part.side, apart[part.side], ""))
        assert part.evaluation.scores == alone.parts[0].evaluation.scores


@pytest.mark.parametrize("name", WITH_TEST)
def test_without_data_a_run_is_scored_on_the_test_split_that_it_set_aside(name: str, runs: dict[str, Path]) -> None:
    own = api.evaluate(runs[name] / "run")
    named = api.evaluate(runs[name] / "run", file_of(runs[name], "test"))
    assert list(counts_of(own)) == ["unseen"]
    assert own.own_test == own.examples
    assert own.note == ""
    assert "they are in the test split that the run set aside" in own.sentence
    assert counts_of(named) == counts_of(own)
    first, second = own.parts[0].evaluation, named.parts[0].evaluation
    assert getattr(first, "scores", first) == getattr(second, "scores", second)


@pytest.mark.parametrize("name", WITH_TEST)
def test_a_test_split_that_has_changed_is_refused(name: str, runs: dict[str, Path], tmp_path: Path) -> None:
    folder = Path(shutil.copytree(runs[name], tmp_path / "copy"))
    small = EVERY[name]
    settings = settings_of(small, file_of(folder, "valid"), file_of(folder, "test"))
    run = api.train(small.task, file_of(folder, "train"), settings=settings, out=folder / "again").path
    small.write(folder / "test", [*range(34, 40), 70], "")
    with pytest.raises(
        RunError, match=r"The test data of .*again has changed .*\d+ records.*heed evaluate .*again FILE"
    ):
        api.evaluate(run)


def test_training_data_that_has_changed_leaves_no_test_split_to_trust(tmp_path: Path) -> None:
    small = EVERY["classify"]
    train = small.write(tmp_path / "train", range(60), "")
    run = api.train(small.task, train, settings=small.settings, out=tmp_path / "run").path
    own = api.evaluate(run)
    assert own.own_test == own.examples > 0
    small.write(tmp_path / "train", range(61), "")
    with pytest.raises(RunError, match="has changed since the run began"):
        api.evaluate(run)


def test_a_run_without_a_test_split_says_what_to_do(tmp_path: Path) -> None:
    small = EVERY["tag"]
    train, valid = small.write(tmp_path / "train", TRAINED, ""), small.write(tmp_path / "valid", VALIDATED, "")
    run = api.train(small.task, train, settings=settings_of(small, valid), out=tmp_path / "run").path
    with pytest.raises(UsageError, match=r"has no test split of its own.*heed evaluate .*run FILE.*--test FILE"):
        api.evaluate(run)


def test_pretraining_sets_no_test_split_aside(runs: dict[str, Path]) -> None:
    with pytest.raises(UsageError, match=r"sets no test split aside\. Name the data .* heed evaluate .*run FILE"):
        api.evaluate(runs["pretrain"] / "run")


def test_columns_that_the_run_was_trained_with_are_used_for_its_own_test_split(tmp_path: Path) -> None:
    small = EVERY["classify"]
    path = Path(small.write(tmp_path / "train", range(60), ""))
    path.write_text(path.read_text().replace("text,label", "said,kind"))
    settings = {**small.settings, "data": {"columns": ["said", "kind"]}}
    run = api.train(small.task, str(path), settings=settings, out=tmp_path / "run").path
    assert api.evaluate(run).own_test > 0
    with pytest.raises(UsageError, match="Columns \\(said,kind\\) are for data that you name"):
        api.evaluate(run, columns=["said", "kind"])


def test_groups_that_the_run_was_trained_with_are_used_for_its_own_test_split(tmp_path: Path) -> None:
    small = EVERY["classify"]
    path = Path(small.write(tmp_path / "train", range(150), ""))
    header, *rows = path.read_text().splitlines()
    path.write_text("\n".join([f"user,{header}", *(f"u{row // 3},{text}" for row, text in enumerate(rows))]) + "\n")
    settings = {**small.settings, "data": {"group": "user"}}
    run = api.train(small.task, str(path), settings=settings, out=tmp_path / "run").path
    own = api.evaluate(run)
    assert own.own_test == own.examples > 0
    assert own.examples % 3 == 0  # whole groups


def as_made_before(run: Path) -> Path:
    """Take from a run what those of 0.5.0 do not have."""
    documents.forget(run, "examples.digests")
    folder = open_run(run)
    facts = folder.read_data_facts()
    facts.pop("test", None)
    folder.write_data_facts(facts)
    return run


@pytest.mark.parametrize("name", sorted(EVERY))
def test_a_run_that_kept_no_digests_is_scored_with_a_word_that_nobody_can_tell(
    name: str, runs: dict[str, Path], tmp_path: Path
) -> None:
    run = as_made_before(copied(runs[name], tmp_path))
    found = api.evaluate(run, file_of(runs[name], "train"))
    assert list(counts_of(found)) == ["unknown"]
    assert found.unseen is None
    assert found.unknown is not None
    assert found.sentence.startswith(f"heed cannot tell which of these {found.examples:,} {EVERY[name].noun} the run")


@pytest.mark.parametrize("name", WITH_TEST)
def test_the_test_split_of_a_run_made_before_is_scored_with_a_note(
    name: str, runs: dict[str, Path], tmp_path: Path
) -> None:
    found = api.evaluate(as_made_before(copied(runs[name], tmp_path)))
    assert list(counts_of(found)) == ["unknown"]
    assert "kept no fingerprint of its test split" in found.note


def test_a_run_made_before_is_resumed(runs: dict[str, Path], tmp_path: Path) -> None:
    assert api.resume(as_made_before(copied(runs["classify"], tmp_path))).finished


def test_the_same_text_in_another_unicode_form_is_seen(runs: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "train.csv").write_text(
        "text,label\n" + "".join(f"caf\u00e9 {number},{number % 2}\n" for number in range(30))
    )
    (tmp_path / "valid.csv").write_text("text,label\nsoup,0\ntea,1\n")
    (tmp_path / "test.csv").write_text("text,label\ncafe\u0301 7,1\ncaf\u00e9 99,1\n")
    small = EVERY["classify"]
    settings = settings_of(small, str(tmp_path / "valid.csv"))
    run = api.train("classify", str(tmp_path / "train.csv"), settings=settings, out=tmp_path / "run").path
    assert counts_of(api.evaluate(run, str(tmp_path / "test.csv"))) == {"unseen": 1, "training": 1}


def test_a_seen_text_with_another_label_is_still_seen(runs: dict[str, Path], tmp_path: Path) -> None:
    path = Path(EVERY["classify"].write(tmp_path / "other", TRAINED, ""))
    swapped = path.read_text().replace(",odd", ",?").replace(",even", ",odd").replace(",?", ",even")
    path.write_text(swapped)
    assert counts_of(api.evaluate(runs["classify"] / "run", str(path))) == {"training": 24}


def test_an_image_under_another_name_is_seen(runs: dict[str, Path], tmp_path: Path) -> None:
    Path(EVERY["image"].write(tmp_path / "other", [0, 1, 2, 60, 61, 62], ""))
    for path in sorted((tmp_path / "other").rglob("*.png")):
        path.rename(path.with_name(f"renamed-{path.name}"))
    found = api.evaluate(runs["image"] / "run", str(tmp_path / "other"))
    assert counts_of(found) == {"unseen": 3, "training": 3}


def test_an_excerpt_from_the_middle_of_the_training_text_is_seen(runs: dict[str, Path], tmp_path: Path) -> None:
    text = Path(file_of(runs["write"], "train")).read_text()
    (tmp_path / "excerpt.txt").write_text(text[777:-333])
    counts = counts_of(api.evaluate(runs["write"] / "run", str(tmp_path / "excerpt.txt")))
    assert counts["training"] > 20
    assert counts.get("unseen", 0) <= 2  # the cut passages at both ends


def test_what_is_in_both_sets_counts_as_trained_on() -> None:
    seen = SeenExamples(digests_of([("a",)]), digests_of([("a",)]), digests_of([]))
    found = evaluate_apart(seen, [("a",), ("b",)], "texts", list)
    assert [(part.side, part.rows) for part in found.parts] == [("unseen", [1]), ("training", [0])]


def test_what_was_trained_on_is_no_unseen_test_example() -> None:
    seen = SeenExamples(digests_of([("a",)]), digests_of([]), digests_of(sorted([("a",)])))
    assert evaluate_apart(seen, [("a",)], "texts", list).own_test == 0


def test_rows_that_are_left_out_are_counted_with_their_places(runs: dict[str, Path], tmp_path: Path) -> None:
    table = Path(EVERY["caption"].write(tmp_path / "more", range(60, 64), ""))
    table.write_text(table.read_text() + "red/060.png,\n")
    found = api.evaluate(runs["caption"] / "run", str(table))
    assert found.left_out == (f"1 rows without path or caption were left out: {table}:6",)
    folder = Path(EVERY["image"].write(tmp_path / "images", range(60, 66), ""))
    (folder / "notes.txt").write_text("no image")
    found = api.evaluate(runs["image"] / "run", str(folder))
    assert found.left_out == (f"1 files that are no image of a class were left out: {folder / 'notes.txt'}",)


def test_an_unseen_image_that_cannot_be_read_does_not_stop_the_evaluation(
    runs: dict[str, Path], tmp_path: Path
) -> None:
    folder = Path(EVERY["image"].write(tmp_path / "images", [0, 1, 2, 60], ""))
    (broken,) = folder.rglob("060.png")
    broken.write_bytes(broken.read_bytes()[:60])
    found = api.evaluate(runs["image"] / "run", str(folder))
    assert counts_of(found) == {"training": 3}
    assert [each.name for each in found.broken] == [str(broken)]


def test_an_imported_run_has_no_test_split(runs: dict[str, Path], tmp_path: Path) -> None:
    run = copied(runs["classify"], tmp_path)
    folder = open_run(run)
    folder.write_settings({**folder.read_settings(), "data": {}})
    with pytest.raises(UsageError, match="was imported and has no test split of its own"):
        api.evaluate(run)


def test_a_demo_is_scored_on_its_test_part_without_being_named(tmp_path: Path) -> None:
    small = EVERY["classify"]
    run = api.train("classify", "demo:reviews", settings=small.settings, out=tmp_path / "run").path
    own, named = api.evaluate(run), api.evaluate(run, "demo:reviews")
    assert own.parts[0].evaluation.scores == named.parts[0].evaluation.scores
    assert own.own_test == own.examples


def test_an_unseen_sentence_with_labels_the_tagger_lacks_counts_as_missed_and_stops_nothing(tmp_path: Path) -> None:
    rows = [f"the D\nn{number} {'N' if number % 2 else 'V'}\n" for number in range(30)]
    (tmp_path / "train.conll").write_text("\n".join(rows[:24]))
    (tmp_path / "valid.conll").write_text("\n".join(rows[24:]))
    (tmp_path / "test.conll").write_text("\n".join([rows[0], "oh X\nno X\n"]))
    settings = settings_of(EVERY["tag"], str(tmp_path / "valid.conll"))
    run = api.train("tag", str(tmp_path / "train.conll"), settings=settings, out=tmp_path / "run").path
    found = api.evaluate(run, str(tmp_path / "test.conll"))
    assert counts_of(found) == {"unseen": 1, "training": 1}
    assert found.unseen.scores.accuracy == 0


def test_a_text_of_which_a_part_was_seen_is_scored_in_parts_that_have_all_of_its_words(
    runs: dict[str, Path], tmp_path: Path
) -> None:
    path = mixed(EVERY["write"], tmp_path)
    parts = [part.evaluation for part in api.evaluate(runs["write"] / "run", path).parts]
    assert len(parts) == 3
    text = Path(path).read_text()
    assert sum(part.words for part in parts) == len(text.split()) + text.count("\n")


def test_no_examples_are_refused_in_the_words_of_the_task() -> None:
    def score(rows: object) -> None:
        raise DataError("There are no texts")

    with pytest.raises(DataError, match="There are no texts"):
        evaluate_apart(None, [], "texts", score)
