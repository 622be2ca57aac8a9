"""What a run's folder says of it, whole or damaged: every part that can be read is there, the rest is told."""

import math
from pathlib import Path

import pytest
from made_runs import DATA, MASKING, line_of, made_run, write_lines

from heed.errors import RunError
from heed.reporting.data_facts import MaskingFacts, PairFacts, data_facts
from heed.reporting.facts import gather
from heed.reporting.progress import MOST_POINTS, read_progress
from heed.reporting.scores import best_score
from heed.reporting.settings_list import list_settings
from heed.runs import folder as run_folder
from heed.runs.folder import RunFolder
from heed.runs.strict_json import JSON


def test_a_finished_run_tells_all_of_itself(tmp_path: Path) -> None:
    facts = gather(made_run(tmp_path / "run"))
    assert (facts.name, facts.task, facts.model, facts.state, facts.faults) == (
        "run",
        "classify",
        "transformer",
        "finished",
        (),
    )
    assert (facts.progress.steps, facts.progress.epochs, facts.progress.seconds) == (12, 3, 6.0)
    assert [point.step for point in facts.progress.validations] == [4, 8, 12]
    assert [sample.step for sample in facts.samples] == [4, 8, 12]
    assert facts.best is not None
    assert (facts.best.name, facts.best.value, facts.best.step) == ("accuracy", 0.12, 12)
    assert facts.bytes_to_predict > 0
    assert facts.began is not None and facts.ended is not None and facts.began <= facts.ended


def test_a_run_that_was_stopped_is_told_from_one_in_progress_by_its_lock(tmp_path: Path) -> None:
    folder = made_run(tmp_path / "run", finished=False)
    assert gather(folder).state == "stopped"
    with folder.lock():
        assert gather(folder).state == "in progress"
        assert gather(folder, ours=True).state == "stopped"
    assert gather(folder).state == "stopped"


def test_a_model_that_was_imported_says_from_where(tmp_path: Path) -> None:
    folder = made_run(tmp_path / "run", steps=0, finished=False)
    folder.mark_finished({"step": 0, "origin": "models/bert"})
    facts = gather(folder)
    assert (facts.state, facts.origin, facts.best) == ("imported", "models/bert", None)


def test_a_run_without_a_step_has_no_curves_and_no_fault(tmp_path: Path) -> None:
    facts = gather(made_run(tmp_path / "run", steps=0, finished=False, settings={"training": {"steps": 3}}))
    assert facts.progress.training == facts.progress.validations == facts.samples == facts.faults == ()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("settings.json", "settings.json is not as this run wrote it"),
        ("data.json", "data.json is not as this run wrote it"),
        ("finished.json", "finished.json is not as this run wrote it"),
        ("digests.json", "digests.json is damaged"),
        ("model.safetensors", "model.safetensors cannot be used"),
        ("metrics.jsonl", "metrics.jsonl:1 is damaged"),
        ("samples.jsonl", "samples.jsonl:1 is damaged"),
    ],
)
def test_each_damaged_file_is_told_and_the_others_are_read(name: str, said: str, tmp_path: Path) -> None:
    folder = made_run(tmp_path / "run")
    (folder.path / name).write_bytes(b"\x00 no file of a run\n")
    facts = gather(folder)
    assert any(said in fault for fault in facts.faults), facts.faults
    if name != "metrics.jsonl":
        assert facts.progress.steps == 12


def test_a_small_file_that_is_huge_is_refused_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made_run(tmp_path / "run")
    monkeypatch.setattr(run_folder, "LARGEST_SMALL", 500)
    with pytest.raises(RunError, match=r"settings\.json has [\d,]+ bytes, and no run writes more than 500 there"):
        gather(folder)


def test_settings_of_another_version_are_listed_and_none_is_compared(tmp_path: Path) -> None:
    folder = made_run(tmp_path / "run")
    folder.write_settings({**folder.read_settings(), "of_old": {"depth": 3}})
    facts = gather(folder)
    assert ("of_old.depth", "3", None) in [(each.name, each.value, each.usual) for each in facts.settings]
    assert "not those of this version" in facts.faults[-1]
    assert "of_old" in facts.faults[-1]


def test_settings_that_a_person_changed_are_marked_with_what_is_usual(tmp_path: Path) -> None:
    own = {"training": {"steps": 12, "clip": 0.5, "threads": 3}, "model": {"heads": 8}}
    listed = list_settings(made_run(tmp_path / "run", settings=own).read_settings())
    changed = {each.name: (each.value, each.usual) for each in listed.settings if each.usual is not None}
    assert changed["training.clip"] == ("0.5", "1.0")
    assert changed["model.heads"] == ("8", "4")
    assert set(changed) == {"training.clip", "model.heads", "training.steps", "training.minutes"}


def test_a_run_as_its_task_makes_it_has_no_setting_that_is_marked(tmp_path: Path) -> None:
    listed = list_settings(made_run(tmp_path / "run", settings={"tokens": {}}).read_settings())
    assert [each.name for each in listed.settings if each.usual is not None] == []
    assert listed.fault is None


def test_a_long_log_is_thinned_but_keeps_the_best_and_the_last(tmp_path: Path) -> None:
    folder = made_run(tmp_path / "run", steps=4)
    count = 3 * MOST_POINTS
    folder.metrics.unlink()
    for step in range(1, count + 1):
        folder.append_metrics(line_of(step, validated=True))
    progress = read_progress(folder, best_step=779)
    steps = [point.step for point in progress.validations]
    assert len(progress.training) <= MOST_POINTS
    assert len(steps) <= MOST_POINTS
    assert {1, 779, count} <= set(steps)
    assert progress.steps == count


def test_a_loss_that_was_not_a_number_is_told(tmp_path: Path) -> None:
    folder = made_run(tmp_path / "run")
    folder.append_metrics({**line_of(13, False), "loss": math.nan})
    progress = read_progress(folder, None)
    assert progress.faults == ("The loss was not a number at step 13: the training went astray.",)
    assert "loss" not in progress.training[-1].values


def test_numbers_of_another_kind_are_passed_over(tmp_path: Path) -> None:
    folder = made_run(tmp_path / "run", steps=0, settings={"tokens": {}})
    lines = [b'{"step": true, "loss": 1}', b'{"step": 2, "loss": "1", "learning_rate": 1' + b"0" * 400 + b"}", b"{}"]
    write_lines(folder.metrics, lines)
    progress = read_progress(folder, None)
    assert [(point.step, dict(point.values)) for point in progress.training] == [(2, {})]


@pytest.mark.parametrize(
    ("facts", "name", "value", "less"),
    [
        ({"score": 0.75, "accuracy": 0.75, "loss": 0.5}, "accuracy", 0.75, False),
        ({"score": -2.5, "accuracy": 0.2, "loss": 2.5}, "loss", 2.5, True),
        ({"score": 31.5, "bleu": 31.5, "chrf": 50.0, "loss": 2.0}, "bleu", 31.5, False),
        ({"score": -math.log(2), "bits_per_character": 1.0, "loss": 3.0}, "bits_per_character", 1.0, True),
        ({"score": 4.0, "loss": 1.0}, "score", 4.0, False),
    ],
)
def test_the_best_score_has_the_name_of_what_it_is_chosen_by(
    facts: dict[str, JSON], name: str, value: float, less: bool
) -> None:
    best = best_score({"step": 3, "task": "any", **facts})
    assert best is not None
    assert (best.name, best.value, best.less_is_better) == (name, value, less)


def test_without_a_score_there_is_no_best() -> None:
    assert best_score({}) is None
    assert best_score({"step": 2, "score": None, "loss": 1.0}) is None


def test_what_was_cut_unknown_or_left_out_is_told_with_its_share() -> None:
    facts = data_facts({**DATA, "left_out": {"train": 3, "valid": 0}}, {})
    assert facts.left_out == (
        "6 of 1,200 training tokens (0.50 %) are not in the vocabulary.",
        "24 of 1,200 training tokens (2.00 %) were cut off as too long.",
        "2 examples with an empty text were left out.",
        "3 pictures of train could not be read and were left out.",
    )


def test_data_that_was_counted_and_whole_is_told_from_data_that_was_not_counted() -> None:
    whole = data_facts({"tokens": {"tokens": 5, "unknown": 0, "cut": 0}}, {})
    unknown = data_facts({"origin": "texts.csv"}, {})
    assert (whole.counted, whole.left_out) == (True, ())
    assert (unknown.counted, unknown.left_out) == (False, ())


def test_the_audit_of_masking_is_read_whole_or_not_at_all() -> None:
    masking = data_facts({"masking": MASKING}, {}).masking
    assert masking == MaskingFacts(9, 140, 0.1512, 0.7891, 0.1123, 0.0986, 0.4877)
    assert data_facts({"masking": {**MASKING, "kept": "much"}}, {}).masking is None
    assert data_facts({}, {}).masking is None


def test_the_audit_of_pairs_is_read_whole_or_not_at_all() -> None:
    pairs: dict[str, JSON] = {"pairs": 80, "by_length": 0.51, "by_first_token": 0.49, "by_last_token": 0.5}
    assert data_facts({"pairs": pairs}, {}).pairs == PairFacts(80, 0.51, 0.49, 0.5)
    assert data_facts({"pairs": {**pairs, "by_length": "well"}}, {}).pairs is None
    assert data_facts({"pairs": {"labelled": 0}}, {}).pairs is None


def test_a_folder_that_is_gone_is_told_and_not_a_crash(tmp_path: Path) -> None:
    facts = gather(RunFolder(tmp_path / "gone"))
    assert facts.state == "stopped"
    assert any("digests.json is missing" in fault for fault in facts.faults)
