"""How a run's data was split is part of its settings: recorded, taken up by resuming, and as it was in older runs."""

import json
from pathlib import Path
from typing import Any

import pytest

from heed import api
from heed.errors import DataError, SettingsError
from heed.machine import Ranks
from heed.runs import beginning, documents
from heed.runs.defaults import resolve
from heed.runs.folder import open_run
from heed.runs.session import new_run, stopped_run
from heed.runs.settings import read_settings

TRAINING = {"steps": 4, "tokens_per_batch": 200, "validations": 2, "checkpoint_every": 1, "threads": 1}
MODEL = {"kind": "textcnn", "embedding": 6, "filters": 3}
LINEAR = {"kind": "tfidf", "characters": None, "svm_strengths": [1.0], "logistic_strengths": [1.0]}


def write_premises(path: Path, count: int = 60) -> Path:
    """Write pairs as of natural language inference: each premise with three hypotheses."""
    rows = [
        f"premise {n},hypothesis {n} {k},{label},user {n // 2}"
        for n in range(count)
        for k, label in enumerate(("yes", "no", "maybe"))
    ]
    path.write_text("\n".join(["premise,hypothesis,label,user", *rows]) + "\n", encoding="utf-8")
    return path


def interrupted(out: Path, data: Path, own: dict[str, Any], model: dict[str, Any] = MODEL) -> Path:
    """Return a run that was stopped after its first step."""
    settings: dict[str, object] = {"model": model, "data": own}
    if model is MODEL:  # a linear model has neither tokens nor steps
        settings |= {"tokens": {"kind": "words"}, "training": TRAINING}
    with new_run("pair", str(data), settings=settings, out=out) as run:
        if model is MODEL:
            reports = run.reports()
            next(reports)
            reports.close()
    return out


def made_old(run: Path) -> Path:
    """Return the run with the settings that version 0.5 would have written."""
    values = json.loads((run / "settings.json").read_text(encoding="utf-8"))
    del values["data"]["split"], values["data"]["group"]
    documents.write(run, "settings.json", json.dumps(values).encode())
    return run


def settings_of(run: Path) -> dict[str, Any]:
    data = open_run(run).read_settings()["data"]
    assert isinstance(data, dict)
    return data


def test_a_run_records_how_its_data_was_split_and_resumes_on_it(tmp_path: Path) -> None:
    run = interrupted(tmp_path / "run", write_premises(tmp_path / "p.csv"), {"group": "user"})
    assert (settings_of(run)["split"], settings_of(run)["group"]) == ("grouped", "user")
    assert "Split by the hash of column" in str(open_run(run).read_data_facts()["note"])
    assert api.resume(run).finished


@pytest.mark.parametrize("model", [MODEL, LINEAR], ids=["textcnn", "tfidf"])
def test_an_older_run_resumes_on_its_own_split_and_says_what_leaks(tmp_path: Path, model: dict[str, Any]) -> None:
    data = write_premises(tmp_path / "p.csv")
    run = made_old(interrupted(tmp_path / "run", data, {"split": "by-record"}, model))
    assert "split" not in settings_of(run)
    with stopped_run(run) as stopped:
        (leak,) = [note for note in stopped.notes if "share a text" in note]
    assert "validation records" in leak and "share a text with train, so validation scores are inflated" in leak
    assert "this run was begun before heed 0.6 and resumes on its own split" in leak
    assert api.resume(run).finished


def test_an_older_run_whose_data_does_not_leak_says_nothing(tmp_path: Path) -> None:
    rows = [f"premise {n},hypothesis {n},{'yes' if n % 2 else 'no'}" for n in range(120)]
    data = tmp_path / "p.csv"
    data.write_text("\n".join(["premise,hypothesis,label", *rows]) + "\n", encoding="utf-8")
    run = made_old(interrupted(tmp_path / "run", data, {"split": "by-record"}))
    with stopped_run(run) as stopped:
        assert not [note for note in stopped.notes if "share a text" in note]


def test_only_an_older_run_that_was_split_here_has_the_older_rule() -> None:
    def rule(data: dict[str, object], task: str = "pair") -> str:
        return read_settings({"task": task, "data": data}, "settings").data.split

    assert rule({"train": ["p.csv"]}) == "by-record"
    assert rule({"train": ["p.csv"], "test": ["t.csv"]}, "translate") == "by-record"
    assert rule({"train": ["p.csv"], "valid": ["v.csv"]}) == "grouped"
    assert rule({"train": ["demo:paraphrase"]}) == "grouped"
    assert rule({"train": ["p.csv"], "split": "grouped"}) == "grouped"
    assert rule({"train": ["p.txt"]}, "write") == "grouped"


def test_a_new_run_is_grouped_whatever_its_settings_leave_out() -> None:
    assert resolve("pair", ["p.csv"], None, {}).data.split == "grouped"


@pytest.mark.parametrize("task", ["translate", "classify", "pair", "pretrain", "image", "caption"])
def test_every_task_that_reads_a_table_asks_it_for_the_group_column(task: str, tmp_path: Path) -> None:
    head = {"pair": "sentence1,sentence2,label", "translate": "source,target", "pretrain": "text,more"}
    names = head.get(task, {"classify": "text,label", "image": "path,label"}.get(task, "path,caption"))
    data = tmp_path / "t.csv"
    data.write_text(f"{names}\n{','.join('abc'[: names.count(',') + 1])}\n", encoding="utf-8")
    settings = resolve(task, [str(data)], None, {"data": {"group": "nobody"}})
    with pytest.raises(DataError, match='there is no group column "nobody"; its columns are'):
        beginning.prepare(settings, Ranks())


@pytest.mark.parametrize("task", ["tag", "answer", "write", "vectors"])
def test_a_task_without_columns_refuses_a_group(task: str) -> None:
    with pytest.raises(
        SettingsError, match=rf"data.group \(--group\) is 'user', but task {task} reads .* Leave it out"
    ):
        resolve(task, ["x"], None, {"data": {"group": "user"}})


def test_a_rule_for_records_is_refused_where_none_are_split() -> None:
    with pytest.raises(SettingsError, match=r"data.split is by-record, but task pretrain does not split records"):
        resolve("pretrain", ["x.txt"], None, {"data": {"split": "by-record"}})


def test_a_group_and_the_older_rule_are_refused_together() -> None:
    with pytest.raises(SettingsError, match=r"data.group is 'user', but data.split is by-record"):
        resolve("pair", ["x.csv"], None, {"data": {"group": "user", "split": "by-record"}})
