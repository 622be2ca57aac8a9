"""A folder of runs as a list: newest first, every state told, and nothing in it that could end the listing."""

import json
import os
import shutil
from pathlib import Path

import pytest
from made_runs import made_run

from heed.api import list_runs
from heed.errors import RunError, UsageError
from heed.listing.runs import RunLine, find_runs


def names(lines: list[RunLine]) -> list[str]:
    return [line.name for line in lines]


def dated(path: Path, seconds: float) -> None:
    for file in path.rglob("*"):
        os.utime(file, (seconds, seconds))


def comparison_at(path: Path, standings: list[object]) -> None:
    path.mkdir(parents=True)
    (path / "plan.json").write_text(json.dumps({"contenders": {"a": {"task": "classify"}, "b": {}}, "seeds": 3}))
    made_run(path / "trials" / "a-1")
    if standings:
        (path / "comparison.json").write_text(json.dumps({"standings": standings, "facts": {}}))


WINNER = {"name": "textcnn", "seeds": 3, "score": {"mean": 0.8125}, "values": {"accuracy": 0.8125, "macro_f1": 0.7}}


def test_runs_are_listed_newest_first_with_scores_and_states(tmp_path: Path) -> None:
    made_run(tmp_path / "old")
    made_run(tmp_path / "new", "translate", finished=False)
    dated(tmp_path / "old", 1_000_000)
    dated(tmp_path / "new", 2_000_000)
    new, old = find_runs(tmp_path)
    assert (new.name, new.task, new.model, new.state) == ("new", "translate", "transformer", "stopped")
    assert (old.name, old.state, old.steps, old.seconds, old.ended) == ("old", "finished", 12, 6.0, 1_000_000)
    assert old.best is not None
    assert (old.best.name, old.best.value) == ("accuracy", 0.12)
    assert old.size == sum(file.stat().st_size for file in (tmp_path / "old").rglob("*") if file.is_file())


def test_a_run_that_trains_is_in_progress(tmp_path: Path) -> None:
    with made_run(tmp_path / "run", finished=False).lock():
        assert [line.state for line in find_runs(tmp_path)] == ["in progress"]


def test_runs_are_found_two_folders_deep_and_not_inside_each_other(tmp_path: Path) -> None:
    made_run(tmp_path / "study" / "one")
    made_run(tmp_path / "study" / "deep" / "two")
    made_run(tmp_path / "run" / "inner")
    made_run(tmp_path / "other")
    shutil.copytree(tmp_path / "other", tmp_path / "other" / "copy")
    assert sorted(names(find_runs(tmp_path))) == ["other", "run/inner", "study/one"]


def test_a_comparison_is_one_line_with_its_winner(tmp_path: Path) -> None:
    comparison_at(tmp_path / "which", [WINNER])
    comparison_at(tmp_path / "begun", [])
    begun, which = find_runs(tmp_path, order="name")
    assert which.comparison is not None
    assert (which.comparison.winner, which.comparison.contenders, which.comparison.seeds) == ("textcnn", 2, 3)
    assert which.best is not None
    assert (which.best.name, which.best.value, which.state) == ("accuracy", 0.8125, "finished")
    assert (begun.state, begun.best, begun.task) == ("stopped", None, "classify")
    assert names(find_runs(tmp_path / "which")) == ["trials/a-1"]


def test_by_score_the_best_of_each_task_comes_first(tmp_path: Path) -> None:
    for name, task, steps in (("b", "tag", 8), ("c", "classify", 4), ("a", "classify", 12), ("d", "pair", 0)):
        made_run(tmp_path / name, task, steps=steps, settings={"tokens": {}})
    assert names(find_runs(tmp_path, order="score")) == ["a", "c", "b", "d"]
    assert names(find_runs(tmp_path, order="name")) == ["a", "b", "c", "d"]


def test_one_task_can_be_asked_for_and_must_exist(tmp_path: Path) -> None:
    made_run(tmp_path / "a")
    made_run(tmp_path / "b", "tag")
    assert names(list_runs(tmp_path, task="tag")) == ["b"]
    with pytest.raises(UsageError, match="There is no task 'clasify'"):
        list_runs(tmp_path, task="clasify")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("settings.json", "settings.json is not as this run wrote it"),
        ("digests.json", "digests.json is damaged"),
        ("finished.json", "finished.json is not as this run wrote it"),
        ("model.safetensors", "model.safetensors cannot be used"),
    ],
)
def test_a_damaged_run_is_a_line_that_says_why(name: str, said: str, tmp_path: Path) -> None:
    made_run(tmp_path / "good")
    made_run(tmp_path / "torn")
    (tmp_path / "torn" / name).write_bytes(b"[" * 9000)
    good, torn = find_runs(tmp_path, order="name")
    assert (good.state, torn.state) == ("finished", "unreadable")
    assert torn.problem is not None
    assert said in torn.problem


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no JSON", "plan.json cannot be used"),
        ('{"contenders": 7}', "plan.json names no contenders and seeds"),
        ('{"seeds": NaN}', "NaN is not a number of JSON"),
    ],
)
def test_a_damaged_comparison_is_a_line_that_says_why(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "which").mkdir()
    (tmp_path / "which" / "plan.json").write_text(text)
    (line,) = find_runs(tmp_path)
    assert line.state == "unreadable"
    assert line.problem is not None
    assert said in line.problem


def test_a_run_that_ended_before_its_settings_is_a_line(tmp_path: Path) -> None:
    made_run(tmp_path / "run", steps=0, settings={"tokens": {}})
    (tmp_path / "run" / "settings.json").unlink()
    (line,) = find_runs(tmp_path)
    assert (line.state, line.name) == ("unreadable", "run")


def test_broken_links_circles_files_and_pipes_are_passed_over(tmp_path: Path) -> None:
    made_run(tmp_path / "run")
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    (tmp_path / "circle").symlink_to(tmp_path)
    (tmp_path / "self").symlink_to("self")
    (tmp_path / "notes.txt").write_text("notes")
    os.mkfifo(tmp_path / "pipe")
    assert "run" in names(find_runs(tmp_path))
    assert set(names(find_runs(tmp_path))) <= {"run", "circle/run"}


def test_a_folder_that_is_not_there_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"There is no folder .*nowhere\. Make a first run with heed train translate"):
        find_runs(tmp_path / "nowhere")
    assert find_runs(tmp_path) == []
