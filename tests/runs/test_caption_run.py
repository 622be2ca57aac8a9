"""Runs of `caption`: begun, stopped, resumed byte for byte; started from a run of image; pictures changed or broken."""

import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from pictured import noisy_picture, write_captions, write_pictures
from resumable import differences

from heed import api
from heed.errors import DataError, RunError, SettingsError, UsageError
from heed.models.weights import weights_of
from heed.prediction.picture_captioner import PictureCaptioner
from heed.runs.caption_settings import CaptionSettings
from heed.runs.folder import open_run
from heed.runs.image_base import load_image_base
from heed.runs.session import new_run

VIT = {"image": 16, "patch": 8, "width": 12, "heads": 2, "layers": 2, "feedforward": 20, "dropout": 0.1}
SETTINGS: dict[str, Any] = {
    "model": {"encoder": VIT, "width": 16, "heads": 2, "layers": 1, "feedforward": 24, "longest": 8},
    "augmentation": {"operations": 1},
    "training": {
        "epochs": 3,
        "tokens_per_batch": 60,
        "validations": 4,
        "validation_texts": 3,
        "average": 0.9,
        "checkpoint_every": 1,
        "keep_checkpoints": 1000,
        "threads": 1,
    },
}
RECURRENT = {**SETTINGS, "model": {"kind": "rnn", "encoder": VIT, "width": 16, "longest": 8}}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write_captions(tmp_path / "pictures")


def with_valid(table: Path, tmp_path: Path, **pictures: object) -> dict[str, Any]:
    """Return the settings with all of the table to learn from, and other pictures to choose by."""
    return {**SETTINGS, "data": {"valid": [str(write_captions(tmp_path / "valid", each=2))]}, "pictures": pictures}


@pytest.mark.parametrize(
    "settings", [SETTINGS, pytest.param(RECURRENT, marks=pytest.mark.slow)], ids=["transformer", "rnn"]
)
def test_a_captioner_that_is_stopped_and_resumed_ends_byte_for_byte_as_the_whole_one(
    table: Path, tmp_path: Path, settings: dict[str, Any]
) -> None:
    steps = 0
    with new_run("caption", str(table), settings=settings, out=tmp_path / "run") as run:
        each_epoch = len(run.task.order(run.settings.training.seed, 0, 60, run.settings.training.window))
        for report in run.reports():
            steps = report.step
            if steps in (2, each_epoch + 1):
                shutil.copytree(tmp_path / "run", tmp_path / f"stopped-{steps}")
    assert 2 < each_epoch < steps
    for stopped in (2, each_epoch + 1):
        # In the middle of an epoch, and with the pictures decoded anew.
        shutil.rmtree(tmp_path / f"stopped-{stopped}/pictures")
        api.resume(tmp_path / f"stopped-{stopped}")
        assert differences(tmp_path / "run", tmp_path / f"stopped-{stopped}") == []


def test_a_caption_that_changed_is_noticed_when_the_run_goes_on(table: Path, tmp_path: Path) -> None:
    run = api.train("caption", str(table), settings=SETTINGS, out=tmp_path / "run", watch=lambda at: at.step < 2)
    table.write_text(table.read_text().replace("a red picture", "a rad picture"))
    with pytest.raises(RunError, match=r"The (train|valid) data of .* has changed since the run began"):
        api.resume(run.path)


def test_a_captioned_picture_that_changed_is_noticed_when_the_run_goes_on(table: Path, tmp_path: Path) -> None:
    settings = with_valid(table, tmp_path)
    run = api.train("caption", str(table), settings=settings, out=tmp_path / "run", watch=lambda at: at.step < 2)
    noisy_picture((1, 2, 3), seed=5).save(table.parent / "red/000.png")
    with pytest.raises(RunError, match=r"The train data of .* has changed since the run began: it now has 36 records"):
        api.resume(run.path)


def test_a_broken_picture_is_left_out_with_its_captions_named_and_counted(table: Path, tmp_path: Path) -> None:
    broken = table.parent / "red/002.png"
    broken.write_bytes(broken.read_bytes()[:200])
    with new_run("caption", str(table), settings=with_valid(table, tmp_path), out=tmp_path / "run") as run:
        assert run.notes[0].startswith("35 training pictures with 69 captions and 6 validation pictures")
        assert any("1 of 36 pictures were left out" in note and "red/002.png" in note for note in run.notes)
        assert len(run.task.captions) == len(run.task.train.squares) == 35
        assert "red/002.png" not in " ".join(str(record.source) for record in run.task.train.records)
    assert open_run(tmp_path / "run").read_data_facts()["left_out"] == {"train": 1, "valid": 0}


def test_with_strict_a_broken_captioned_picture_ends_the_run(table: Path, tmp_path: Path) -> None:
    (table.parent / "red/000.png").write_bytes(b"no picture")
    with pytest.raises(DataError, match=r"with --strict none is left out.*red/000\.png"):
        api.train("caption", str(table), settings=with_valid(table, tmp_path, strict=True), out=tmp_path / "run")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a finished run of image with sizes, colours and a way to make squares of its own."""
    folder = tmp_path_factory.mktemp("base")
    settings = {
        "model": {**VIT, "pooling": "mean"},
        "colours": {"mean": [0.4, 0.5, 0.6], "spread": [0.2, 0.3, 0.4]},
        "pictures": {"fit": "crop"},
        "training": {"steps": 2, "tokens_per_batch": 50, "validations": 1, "threads": 1},
    }
    return api.train("image", str(write_pictures(folder / "pictures")), settings=settings, out=folder / "run").path


@pytest.mark.parametrize("model", [None, "gru"])
def test_a_captioner_that_starts_from_a_run_of_image_sees_as_that_did(
    table: Path, tmp_path: Path, base: Path, model: str | None
) -> None:
    settings = {"base": str(base), "training": {"steps": 1, "threads": 1}}
    with new_run("caption", str(table), model=model, settings=settings, out=tmp_path / "run") as run:
        given, own = load_image_base(base).weights, weights_of(run.task.model.encoder)
        assert own.keys() == given.keys()
        assert all(torch.equal(own[name], given[name]) for name in own)
        whole = run.settings
        assert (whole.model.encoder.image, whole.model.encoder.width, whole.model.encoder.pooling) == (16, 12, "mean")
        assert (whole.colours.mean, whole.colours.spread) == ((0.4, 0.5, 0.6), (0.2, 0.3, 0.4))
        assert whole.pictures.fit == "crop"
        assert any(f"starting from {base}" in note for note in run.notes)


def test_frozen_layers_of_a_captioner_keep_what_the_base_knew_and_the_words_are_learnt(
    table: Path, tmp_path: Path, base: Path
) -> None:
    training = {"steps": 2, "threads": 1, "frozen_layers": 1, "average": 0.0, "validations": 1, "warmup": 0.0}
    settings = {"base": str(base), "training": training}
    with new_run("caption", str(table), settings=settings, out=tmp_path / "run") as run:
        before = {name: tensor.clone() for name, tensor in weights_of(run.task.model).items()}
        for _ in run.reports():
            pass
        after = weights_of(run.task.model)
    kept = {name for name in before if torch.equal(before[name], after[name])}
    expected = {name for name in before if name.startswith(("encoder.embedding.", "encoder.encoder.0."))}
    assert kept == expected


def test_a_captioner_does_not_start_from_a_captioner(table: Path, tmp_path: Path) -> None:
    run = api.train("caption", str(table), settings=SETTINGS, out=tmp_path / "run", watch=lambda at: at.step < 1)
    with pytest.raises(UsageError, match=r"run is a run of caption; --from needs one of image"):
        api.train("caption", str(table), settings={**SETTINGS, "base": str(run.path)}, out=tmp_path / "next")


def test_what_was_trained_can_be_loaded_and_says_something_of_a_picture(table: Path, tmp_path: Path) -> None:
    settings = {**SETTINGS, "search": {"beams": 2}}
    model = api.train("caption", str(table), settings=settings, out=tmp_path / "run").load()
    assert isinstance(model, PictureCaptioner)
    assert (model.side, model.search.beams) == (16, 2)
    assert model.predict([table.parent / "red/000.png"])[0].text is not None


def test_two_pictures_in_one_are_refused_for_no_sentence_is_true_of_them() -> None:
    for given, message in (
        ({"mixup": 0.2, "cutmix": 0.0}, r"augmentation.mixup is 0.2 and augmentation.cutmix 0.0: no sentence is true"),
        ({"mixup": 0.0, "cutmix": 0.3}, r"augmentation.mixup is 0.0 and augmentation.cutmix 0.3: no sentence is true"),
    ):
        with pytest.raises(SettingsError, match=message):
            api.train("caption", "demo:flowers", settings={"augmentation": given})
    assert CaptionSettings().augmentation.cutmix == 0
