"""How a run went, as a person asks for it on the command line: its page, and the list of all runs."""

import json
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

# What `conftest.py` makes; its answers have `code`, `out` and `err`.
Heed = Callable[..., Any]


def test_training_says_how_to_see_its_report_which_is_there(heed: Heed, folder: Path) -> None:
    trained = heed("train", "translate", "pairs.tsv", "--settings", "tiny.toml", "--steps", "4")
    assert "How it went: heed report runs/translate-transformer-1 --open" in trained.out
    assert "<h2>Curves</h2>" in Path("runs/translate-transformer-1/report.html").read_text()
    listed = heed("runs")
    assert listed.code == 0
    titles, line = listed.out.splitlines()
    assert titles.split("  ")[0] == "run"
    assert line.startswith("translate-transformer-1")
    assert "BLEU" in line
    assert line.endswith("finished")


def test_a_report_is_written_anew_and_its_place_is_printed(heed: Heed, run: Path) -> None:
    (run / "report.html").unlink()
    answer = heed("report", "run")
    assert (answer.code, answer.out) == (0, "The report is run/report.html\n")
    assert "Samples along training" in (run / "report.html").read_text()


def test_a_report_can_be_written_elsewhere(heed: Heed, run: Path) -> None:
    (run / "report.html").unlink()
    assert heed("report", "run", "--out", "page.html").out == "The report is page.html\n"
    assert Path("page.html").is_file()
    assert not (run / "report.html").exists()


def test_the_facts_of_a_report_come_as_json(heed: Heed, run: Path) -> None:
    facts = json.loads(heed("report", "run", "--json").out)
    assert (facts["task"], facts["state"], facts["progress"]["steps"]) == ("translate", "finished", 30)
    assert facts["best"]["name"] == "bleu"


def test_a_report_is_opened_in_the_browser_or_its_place_is_told(
    heed: Heed, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda address: bool(opened.append(address)) or True)
    assert heed("report", "run", "--open").err == ""
    assert opened == [(run / "report.html").absolute().as_uri()]
    monkeypatch.setattr(webbrowser, "open", lambda address: False)
    assert f"There is no browser here. Open {Path('run/report.html').absolute()}" in heed("report", "run", "--open").err


def test_mistakes_of_report_are_one_sentence(check_refused: Callable[..., None], run: Path) -> None:
    check_refused(("report", "rnu"), 1, "There is no run at rnu. Did you mean run?")
    check_refused(("report", "run", "--out", "no/where.html"), 1, "There is no folder no")


def test_mistakes_of_runs_are_one_sentence(check_refused: Callable[..., None], folder: Path) -> None:
    check_refused(("runs",), 1, "There is no folder runs. Make a first run with heed train translate")
    check_refused(("runs", ".", "--task", "clasify"), 2, "There is no task 'clasify'")


def test_an_empty_folder_says_what_to_do(heed: Heed, folder: Path) -> None:
    Path("runs").mkdir()
    assert heed("runs").out == "runs holds no runs. Make one: heed train translate\n"
    assert heed("runs", "--task", "tag").out == "runs holds no runs of task tag. Make one: heed train tag\n"
    assert json.loads(heed("runs", "--json").out) == []


def test_a_damaged_run_is_listed_with_the_reason(heed: Heed, run: Path) -> None:
    (run / "settings.json").write_text("{}")
    answer = heed("runs", ".")
    assert answer.code == 0
    assert answer.out.splitlines()[1].endswith("unreadable")
    assert "run is unreadable: run/settings.json is not as this run wrote it" in answer.out
    (line,) = json.loads(heed("runs", ".", "--json", "--sort", "name").out)
    assert line["state"] == "unreadable"
