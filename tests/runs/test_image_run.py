"""Runs of `image`: begun, stopped, resumed byte for byte with any number of workers; pictures gone, changed, broken."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from pictured import noisy_picture, write_pictures
from resumable import differences

from heed import api
from heed.errors import DataError, RunError, SettingsError
from heed.prediction.picture_classifier import PictureClassifier
from heed.runs.folder import open_run
from heed.runs.image_settings import PictureSettings
from heed.runs.session import new_run

SETTINGS: dict[str, Any] = {
    "model": {"image": 16, "patch": 8, "width": 12, "heads": 2, "layers": 2, "feedforward": 20, "dropout": 0.1},
    "augmentation": {"operations": 2, "mixup": 0.3, "cutmix": 0.3},
    "training": {
        "epochs": 3,
        "tokens_per_batch": 50,
        "validations": 4,
        "average": 0.9,
        "checkpoint_every": 1,
        "keep_checkpoints": 1000,
        "threads": 1,
    },
}


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    return write_pictures(tmp_path / "pictures")


def settings_with(**changes: object) -> dict[str, Any]:
    """Return the settings with other ways to keep pictures."""
    return {**SETTINGS, "pictures": changes}


@pytest.mark.parametrize("workers", [0, pytest.param(2, marks=pytest.mark.slow)])
def test_a_run_that_is_stopped_and_resumed_ends_byte_for_byte_as_the_whole_one(
    pictures: Path, tmp_path: Path, workers: int
) -> None:
    steps = 0
    with new_run("image", str(pictures), settings=settings_with(workers=workers), out=tmp_path / "run") as run:
        for report in run.reports():
            steps = report.step
            if steps in (1, 5):
                shutil.copytree(tmp_path / "run", tmp_path / f"stopped-{steps}")
    assert steps > 6
    for stopped in (1, 5):
        # In the middle of an epoch, and with the pictures decoded anew.
        shutil.rmtree(tmp_path / f"stopped-{stopped}/pictures")
        api.resume(tmp_path / f"stopped-{stopped}")
        assert differences(tmp_path / "run", tmp_path / f"stopped-{stopped}") == []


def test_a_store_that_was_damaged_is_built_again(pictures: Path, tmp_path: Path) -> None:
    run = api.train("image", str(pictures), settings=SETTINGS, out=tmp_path / "run", watch=lambda at: at.step < 2)
    store = run.path / "pictures/train.images"
    whole = store.read_bytes()
    store.write_bytes(whole[:-9] + b"x" + whole[-8:])
    assert api.resume(run.path).finished
    assert store.read_bytes() == whole


def test_a_picture_that_changed_is_noticed_when_the_run_goes_on(pictures: Path, tmp_path: Path) -> None:
    run = api.train("image", str(pictures), settings=SETTINGS, out=tmp_path / "run", watch=lambda at: at.step < 2)
    noisy_picture((1, 2, 3), seed=5).save(pictures / "red/000.png")
    with pytest.raises(RunError, match=r"The (train|valid) data of .* has changed since the run began"):
        api.resume(run.path)


def test_a_broken_picture_is_left_out_named_and_counted(pictures: Path, tmp_path: Path) -> None:
    (pictures / "red/000.png").write_bytes((pictures / "red/000.png").read_bytes()[:200])
    splits = {"data": {"valid": [str(write_pictures(tmp_path / "valid", each=2))]}}
    with new_run("image", str(pictures), settings=SETTINGS | splits, out=tmp_path / "run") as run:
        assert any("1 of 36 pictures were left out" in note and "red/000.png" in note for note in run.notes)
        assert "35 training and 6 validation pictures" in run.notes[0]
    assert open_run(tmp_path / "run").read_data_facts()["left_out"] == {"train": 1, "valid": 0}


def test_with_strict_a_broken_picture_ends_the_run(pictures: Path, tmp_path: Path) -> None:
    (pictures / "red/000.png").write_bytes(b"no picture")
    strict = settings_with(strict=True) | {"data": {"valid": [str(write_pictures(tmp_path / "valid", each=2))]}}
    with pytest.raises(DataError, match=r"1 picture\(s\) cannot be read, and with --strict none.*red/000\.png"):
        api.train("image", str(pictures), settings=strict, out=tmp_path / "run")


def test_pictures_to_learn_from_are_kept_larger_than_those_to_choose_by(pictures: Path, tmp_path: Path) -> None:
    with new_run("image", str(pictures), settings=settings_with(detail=1.5), out=tmp_path / "run") as run:
        assert run.task.train.squares.shape[1:] == (24, 24, 3)
        assert run.task.valid.squares.shape[1:] == (16, 16, 3)


def test_what_was_trained_can_be_loaded_and_knows_its_labels(pictures: Path, tmp_path: Path) -> None:
    model = api.train("image", str(pictures), settings=SETTINGS, out=tmp_path / "run").load()
    assert isinstance(model, PictureClassifier)
    assert model.targets.labels.names == ("blue", "green", "red")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"detail": 0.5}, r"pictures.detail is 0.5. Use 1 to 4."),
        ({"workers": -1}, r"pictures.workers is -1. Use 0 \(this process\) to 64, or none."),
    ],
)
def test_settings_of_pictures_that_make_no_sense_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        PictureSettings(**given)
