"""A run of `image` from settings to a trainer, begun or resumed: records, pictures as squares, model."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from heed.data.example_keys import content_of, image_key
from heed.data.image_corpora import load_images
from heed.data.image_splits import ImageSplits
from heed.data.labels import Labels
from heed.data.records import LabelledImage
from heed.machine import Ranks
from heed.models.vit import ImageClassifier
from heed.models.weights import parameter_count
from heed.runs.based import on_vit
from heed.runs.classification_run import read_targets
from heed.runs.examples import write_split_examples
from heed.runs.folder import RunFolder
from heed.runs.held_out import HeldOut, held_out
from heed.runs.image_base import ImageBase, load_image_base, start_from
from heed.runs.image_settings import ImageSettings
from heed.runs.label_notes import balance
from heed.runs.pictures import TRAIN, VALID, contents, left_out, read_pictures
from heed.runs.preparing import Fingerprint, check_same_data, fingerprint, made_whole, set_up, split_facts
from heed.runs.recording import go_back, save
from heed.runs.run import TrainerRun
from heed.runs.strict_json import JSON
from heed.runs.telling import Tell, silent
from heed.settings import to_dict
from heed.tasks.image import Pictured
from heed.tasks.image_training import ImageTraining
from heed.tasks.showing import Showing
from heed.tasks.targets import Classes, to_facts
from heed.training.trainer import Trainer

Parts = Mapping[str, Pictured[LabelledImage]]


@dataclass(frozen=True)
class PreparedImages:
    """Settings made whole, and which pictures there are; they are decoded once there is a folder for them."""

    settings: ImageSettings
    splits: ImageSplits
    base: ImageBase | None


def prepare(settings: ImageSettings) -> PreparedImages:
    """Return what a new run is made of."""
    settings = made_whole(settings)
    if settings.base is None:
        return PreparedImages(settings, _load(settings), None)
    base = load_image_base(Path(settings.base))
    whole = on_vit(settings, base)
    return PreparedImages(whole, _load(whole), base)


def begin(folder: RunFolder, prepared: PreparedImages, ranks: Ranks, tell: Tell = silent) -> TrainerRun:
    """Return a new run in an empty folder; its first checkpoint is there before the first step."""
    settings, splits = prepared.settings, prepared.splits
    targets = Classes(Labels.of(splits.train))
    parts = _read_pictures(folder, settings, splits, ranks, tell)
    task = _task(settings, parts, targets)
    taken = () if prepared.base is None else start_from(task.model.encoder, prepared.base, "head")
    run = _assemble(folder, settings, task, ranks)
    if ranks.is_first:
        folder.write_labels(to_facts(targets))
        folder.write_data_facts(_data_facts(splits, parts))
        write_split_examples(folder, splits, image_key)
        folder.write_settings(to_dict(settings))
        save(folder, run.trainer)
    return replace(run, notes=(*_data_notes(splits, parts), *taken, *run.notes))


def resume(folder: RunFolder, settings: ImageSettings, ranks: Ranks) -> TrainerRun:
    """Return a run as its newest good checkpoint left it."""
    set_up(settings.training)
    splits = _load(settings)
    parts = _read_pictures(folder, settings, splits, ranks, silent)
    check_same_data(folder, _fingerprints(parts))
    run = _assemble(folder, settings, _task(settings, parts, read_classes(folder)), ranks)
    return replace(run, notes=(*go_back(folder, run.trainer), *run.notes))


def read_classes(folder: RunFolder) -> Classes:
    """Return the labels of a run."""
    targets = read_targets(folder)
    assert isinstance(targets, Classes), "a picture has a label, not a number"
    return targets


def read_test(folder: RunFolder, settings: ImageSettings) -> HeldOut[LabelledImage]:
    """Return the images that the run set aside for testing; only these are verified, by their files."""
    splits = _load(settings)
    return held_out(folder, splits.test, {"test": _test_fingerprint(splits)})


def build_model(settings: ImageSettings, targets: Classes) -> ImageClassifier:
    """Return the run's model with fresh weights."""
    return ImageClassifier(settings.model, targets.outputs)


def _load(settings: ImageSettings) -> ImageSplits:
    data = settings.data
    return load_images(data.train, data.valid, data.test, data.columns or None, data.rule)


def _read_pictures(folder: RunFolder, settings: ImageSettings, splits: ImageSplits, ranks: Ranks, tell: Tell) -> Parts:
    records = {TRAIN: splits.train, VALID: splits.valid}
    return read_pictures(folder, records, settings.model.image, settings.pictures, ranks, tell)


def _task(settings: ImageSettings, parts: Parts, targets: Classes) -> ImageTraining:
    torch.manual_seed(settings.training.seed)
    return ImageTraining(
        build_model(settings, targets),
        targets,
        train=parts[TRAIN],
        valid=parts[VALID],
        showing=Showing(settings.augmentation, settings.colours, settings.model.image, settings.training.seed),
        label_smoothing=settings.training.label_smoothing,
    )


def _assemble(folder: RunFolder, settings: ImageSettings, task: ImageTraining, ranks: Ranks) -> TrainerRun:
    rows, columns = task.model.encoder.patch_grid
    size = f"{parameter_count(task.model):,} parameters, {rows} x {columns} patches of a picture"
    return TrainerRun(folder, settings, task, Trainer(task, settings.training, ranks), {"task": "image"}, (size,))


def _fingerprints(parts: Parts) -> dict[str, Fingerprint]:
    def of(part: Pictured[LabelledImage]) -> Fingerprint:
        return fingerprint(zip((record.label for record in part.records), contents(part), strict=True))

    return {name: of(part) for name, part in parts.items()}


def _test_fingerprint(splits: ImageSplits) -> Fingerprint:
    return fingerprint((record.label, content_of(record.source)) for record in splits.test)


def _data_facts(splits: ImageSplits, parts: Parts) -> dict[str, JSON]:
    return {
        "origin": splits.origin,
        "note": splits.note,
        **split_facts({**_fingerprints(parts), "test": _test_fingerprint(splits)}),
        "left_out": {name: len(part.broken) for name, part in parts.items()},
    }


def _data_notes(splits: ImageSplits, parts: Parts) -> Iterator[str]:
    train, valid = parts[TRAIN], parts[VALID]
    yield f"{len(train.records):,} training and {len(valid.records):,} validation pictures from {splits.origin}"
    if splits.note:
        yield splits.note
    yield from left_out(train)
    yield from left_out(valid)
    yield from balance(train.records)
