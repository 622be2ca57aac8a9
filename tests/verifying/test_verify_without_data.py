"""Where the data of a run has gone, laws are proved on records that are made up, and that is said."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from heed import api
from heed.runs.folder import open_run
from heed.runs.settings import read_settings
from heed.settings import to_dict

Make = Callable[[str], Path]
TASKS = ("translate", "classify", "tag", "answer", "write", "image", "caption")


def without_data(run: Path, out: Path) -> Path:
    """Return a copy of a run whose data is nowhere."""
    shutil.copytree(run, out)
    folder = open_run(out)
    values = to_dict(read_settings(folder.read_settings(), "settings"))
    data = values["data"]
    assert isinstance(data, dict)
    folder.write_settings({**values, "data": {**data, "train": [str(out / "gone.tsv")]}})
    return out


@pytest.mark.parametrize("task", ["translate", "image"])
def test_a_run_whose_data_is_gone_is_proved_on_made_up_records(made: Make, task: str, tmp_path: Path) -> None:
    report = api.verify(without_data(made(task), tmp_path / "run"))
    assert report.passed, [(finding.name, finding.detail) for finding in report.of("failed")]
    assert report.origin.startswith("made-up records (its own data cannot be read: ")
    assert "gone.tsv" in report.origin


@pytest.mark.slow
@pytest.mark.parametrize("task", [task for task in TASKS if task not in ("translate", "image")])
def test_the_same_holds_for_other_tasks(made: Make, task: str, tmp_path: Path) -> None:
    report = api.verify(without_data(made(task), tmp_path / "run"))
    assert report.passed, [(finding.name, finding.detail) for finding in report.of("failed")]
    assert "gone.tsv" in report.origin


@pytest.mark.slow
def test_a_corpus_that_is_gone_is_made_up(made: Make, tmp_path: Path) -> None:
    shutil.copytree(made("pretrain"), tmp_path / "run")
    shutil.rmtree(tmp_path / "run" / "corpus")
    report = api.verify(tmp_path / "run")
    assert report.passed, [(finding.name, finding.detail) for finding in report.of("failed")]
    assert report.origin.startswith("made-up documents")
