"""Where the data of a run has gone, laws are proved on records that are made up, and that is said."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from heed import api
from heed.errors import DataError
from heed.runs.data_settings import DataSettings
from heed.runs.folder import open_run
from heed.runs.settings import read_settings
from heed.settings import to_dict
from heed.verifying.material.found import named_data

Make = Callable[[str], Path]
TASKS = ("translate", "classify", "classify-tfidf", "pair", "tag", "answer", "write", "image", "caption")


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


@pytest.mark.slow
def test_a_model_that_came_from_elsewhere_is_proved_on_made_up_records(made: Make, tmp_path: Path) -> None:
    api.export_model(made("classify-bert"), "hf", tmp_path / "out")
    api.import_model(tmp_path / "out", tmp_path / "run")
    report = api.verify(tmp_path / "run")
    assert report.passed, [(finding.name, finding.detail) for finding in report.of("failed")]
    assert report.origin == "made-up records (the run names no data)"
    assert {finding.name for finding in report.of("does not apply")} == {"causality", "caching"}


def test_pictures_of_which_none_can_be_read_are_refused(made: Make, tmp_path: Path) -> None:
    for label in ("blue", "green", "red"):
        (tmp_path / "pictures" / label).mkdir(parents=True)
        for number in range(12):
            (tmp_path / "pictures" / label / f"{number}.png").write_bytes(b"no picture")
    with pytest.raises(DataError, match=r"None of \d+ pictures can be read"):
        api.verify(made("image"), str(tmp_path / "pictures"))


@pytest.mark.parametrize("name", ["translate", "classify", "write"])
def test_files_that_are_given_are_read_whole(made: Make, name: str, tmp_path: Path) -> None:
    files = {"translate": "one two\tthree\n", "classify": "one two\t0\nfive\t1\n", "write": "one two\nthree four\n"}
    (tmp_path / "few.tsv").write_text(files[name])
    report = api.verify(made(name), str(tmp_path / "few.tsv"), only=["determinism", "batching"])
    assert report.passed
    assert len(report.of("passed")) == 2
    assert str(tmp_path / "few.tsv") in report.origin


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tag", "answer", "pretrain", "image", "caption"])
def test_so_are_those_of_other_tasks(made: Make, name: str) -> None:
    place = {"image": "pictures", "caption": "captioned/captions.csv"}.get(name, "*.*")
    (data,) = (made(name).parent / f"data-{name}").glob(place)
    report = api.verify(made(name), str(data), only=["determinism", "batching"])
    assert report.passed
    assert str(data) in report.origin


def test_a_group_column_is_of_the_runs_own_data_alone() -> None:
    own = DataSettings(train=("pairs.tsv",), group="user")
    assert named_data(own, ["demo:fr-en"]).group == ""
    assert named_data(own, []).group == "user"
