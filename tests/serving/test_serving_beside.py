"""Beside the runs that are served: other runs with their curves, comparisons with their tables, few of each."""

import json
import shutil
from pathlib import Path

import pytest
from serving_client import Served

from heed.serving import beside
from heed.serving.comparisons import MOST_ROWS, TITLES, table_of
from heed.serving.models import Models


@pytest.fixture
def folder(colours: Path, tmp_path: Path) -> Path:
    """Return a folder with two runs of which one is to be served, and things that are none."""
    for name in ("served", "other"):
        shutil.copytree(colours, tmp_path / name)
    (tmp_path / "notes").mkdir()
    (tmp_path / "zzz.txt").write_text("no folder")
    return tmp_path


def comparison(path: Path, *names: str) -> Path:
    """Write what a comparison leaves behind, the best contender first."""
    path.mkdir()
    standings = [
        {
            "name": name,
            "seeds": 3,
            "score": {"mean": 0.9 - place / 10, "low": 0.85 - place / 10, "high": 0.95 - place / 10},
            "against_best": None if place == 0 else {"mean": -place / 10, "real": place > 1, "p_value": 0.1},
            "parameters": 12_345,
            "seconds": 90.0,
            "latency": 0.0021,
        }
        for place, name in enumerate(names)
    ]
    facts = {"command": f"heed compare {path}", "machine": "x86_64, 2 threads", "versions": "heed 1"}
    (path / "comparison.json").write_text(json.dumps({"standings": standings, "facts": facts}))
    return path


def test_curves_are_told_of_other_runs_too_and_say_which_are_served(folder: Path) -> None:
    reply = Served(Models([folder / "served"])).get("/v1/runs")
    runs = reply.json()["runs"]
    assert [(run["model"], run["served"]) for run in runs] == [("served", True), ("other", False)]
    assert runs[0]["points"] == runs[1]["points"] != []
    assert str(folder) not in reply.text


def test_no_more_runs_are_told_than_can_be_drawn(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "MOST_RUNS", 0)
    assert len(Served(Models([folder / "served"])).get("/v1/runs").json()["runs"]) == 1


def test_a_run_beside_that_is_damaged_is_left_out(folder: Path) -> None:
    (folder / "other" / "settings.json").write_text("{")
    assert [run["model"] for run in Served(Models([folder / "served"])).get("/v1/runs").json()["runs"]] == ["served"]


def test_comparisons_beside_are_told_as_tables_without_paths(folder: Path) -> None:
    comparison(folder / "compared", "tfidf", "textcnn", "lstm")
    reply = Served(Models([folder / "served"])).get("/v1/comparisons")
    (table,) = reply.json()["comparisons"]
    assert (table["name"], table["titles"], table["problem"]) == ("compared", list(TITLES), None)
    assert table["rows"][0] == ["tfidf", "0.9 ± 0.05", "3", "best", "12,345", "1.5", "2.10"]
    assert [row[3] for row in table["rows"][1:]] == ["−0.1, may be chance", "−0.2, real"]
    assert table["facts"] == {"machine": "x86_64, 2 threads", "versions": "heed 1"}
    assert str(folder) not in reply.text


def test_a_run_that_is_a_trial_shows_the_comparison_that_it_is_part_of(colours: Path, tmp_path: Path) -> None:
    whole = comparison(tmp_path / "compared", "textcnn")
    shutil.copytree(colours, whole / "trials" / "textcnn-1")
    told = Served(Models([whole / "trials" / "textcnn-1"])).get("/v1/comparisons").json()["comparisons"]
    assert [each["name"] for each in told] == ["compared"]


def test_without_a_comparison_there_is_none(folder: Path) -> None:
    assert Served(Models([folder / "served"])).get("/v1/comparisons").json() == {"comparisons": []}


def test_rows_and_names_are_bounded(tmp_path: Path) -> None:
    table = table_of(comparison(tmp_path / "compared", *("m" * 300 for _ in range(MOST_ROWS + 5))))
    assert len(table.rows) == MOST_ROWS and all(len(row[0]) <= 80 for row in table.rows)


def test_one_seed_has_no_interval(tmp_path: Path) -> None:
    path = comparison(tmp_path / "compared", "lone")
    results = json.loads((path / "comparison.json").read_text())
    results["standings"][0]["score"] |= {"low": None, "high": None}
    (path / "comparison.json").write_text(json.dumps(results))
    assert table_of(path).rows[0][1] == "0.9"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "comparison.json is not as heed compare writes it"),
        ("[]", "is not as heed"),
        (" " * 2_000_001, "2,000,000 b"),
    ],
)
def test_results_that_cannot_be_read_are_a_problem_of_that_comparison(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "compared").mkdir()
    (tmp_path / "compared" / "comparison.json").write_text(text)
    table = table_of(tmp_path / "compared")
    assert table.rows == () and table.problem is not None
    assert problem in table.problem and str(tmp_path) not in table.problem
