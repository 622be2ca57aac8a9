"""The contenders of `image.py`: `transformers`' ViT for image classification, with the size and the weights of ours.

Its preparation of pictures is that of Pillow (`ViTImageProcessorPil`), which gives the numbers that ours gives.
"""

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy
import torch
from ours import prepared_run, train_ours
from peer import Inputs, train_peer
from PIL import Image
from rounds import Measured, measured
from torch import nn
from torch.utils.data import Dataset

import heed
from heed.prediction.picture_classifier import PictureClassifier
from heed.tasks.image_training import ImageTraining

BATCH = 64  # pictures a step, on both sides
PREDICTION_BATCH = 32  # pictures at a time for its pipeline, whose own default is one: a size commonly used with it
ALONE = 100  # pictures labelled one by one
Processor = Any  # of a library that is loaded late


class OpenedFiles(Dataset[dict[str, object]]):
    """Pictures as the peer's guides read them: the file is opened and prepared each time that it is asked for."""

    def __init__(self, pictures: Sequence[tuple[str, int]], processor: Processor) -> None:
        self.pictures, self.processor = pictures, processor

    def __len__(self) -> int:
        return len(self.pictures)

    def __getitem__(self, number: int) -> dict[str, object]:
        path, label = self.pictures[number]
        image = Image.open(path).convert("RGB")
        return {"pixel_values": self.processor(image, return_tensors="pt")["pixel_values"][0], "labels": label}


class DecodedFiles(Dataset[dict[str, object]]):
    """The same pictures, opened once and kept as bytes at the side that the model reads."""

    def __init__(self, pictures: Sequence[tuple[str, int]], processor: Processor) -> None:
        side = processor.size["height"]
        self.squares = [_square(path, side) for path, _ in pictures]
        self.labels = [label for _, label in pictures]
        self.mean, self.spread = (
            torch.tensor(three)[:, None, None] for three in (processor.image_mean, processor.image_std)
        )

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, number: int) -> dict[str, object]:
        return {"pixel_values": self.squares[number], "labels": self.labels[number]}

    def collate(self, rows: list[dict[str, Any]]) -> Inputs:
        """Return a batch, made numbers at once and not picture by picture."""
        images = torch.stack([row["pixel_values"] for row in rows]).float().div_(255)
        labels = torch.tensor([row["labels"] for row in rows])
        return {"pixel_values": (images - self.mean) / self.spread, "labels": labels}


def train_heed(folder: Path, steps: int) -> Measured:
    """Train as `heed train image` does."""
    found = train_ours(folder, steps)
    return {**found, "speed": found["speed"] / _task(folder).positions}


def train_vit_from_files(folder: Path, steps: int) -> Measured:
    """Train under `Trainer`, each picture opened and prepared when its turn comes."""
    from transformers import default_data_collator

    model, processor = load_vit(folder)
    rows = OpenedFiles(_labelled(folder / "train.json", model), processor)
    return _train(model, rows, default_data_collator, folder, steps)


def train_vit_decoded(folder: Path, steps: int) -> Measured:
    """Train under `Trainer`, all pictures decoded before."""
    model, processor = load_vit(folder)
    rows = DecodedFiles(_labelled(folder / "train.json", model), processor)
    return _train(model, rows, rows.collate, folder, steps)


def predict_ours(folder: Path, one_by_one: bool) -> Measured:
    """Label the files as `heed predict` does."""
    model = heed.load(folder / "run")
    assert isinstance(model, PictureClassifier)

    def label(paths: Sequence[str]) -> list[str | None]:
        return [found.label for found in model.predict([Path(path) for path in paths])]

    return _timed_labels(label, folder, one_by_one)


def predict_vit(folder: Path, one_by_one: bool) -> Measured:
    """Label the files with the `image-classification` pipeline."""
    from transformers import pipeline

    model, processor = load_vit(folder)
    classify = pipeline("image-classification", model=model, image_processor=processor, device="cpu")

    def label(paths: Sequence[str]) -> list[str | None]:
        return [found[0]["label"] for found in classify(list(paths), batch_size=min(PREDICTION_BATCH, len(paths)))]

    return _timed_labels(label, folder, one_by_one)


def load_vit(folder: Path) -> tuple[Any, Processor]:
    """Return the peer with our weights, and its preparation of pictures."""
    from transformers import ViTForImageClassification, ViTImageProcessorPil

    model = ViTForImageClassification.from_pretrained(folder / "vit", local_files_only=True).eval()
    return model, ViTImageProcessorPil.from_pretrained(folder / "vit", local_files_only=True)


def _train(
    model: nn.Module,
    rows: Dataset[dict[str, object]],
    collate: Callable[[list[dict[str, Any]]], Inputs],
    folder: Path,
    steps: int,
) -> Measured:
    return train_peer(
        model,
        rows,
        collate,
        lambda inputs: len(inputs["labels"]),
        folder=folder,
        batch=BATCH,
        steps=steps,
    )


def _timed_labels(label: Callable[[Sequence[str]], list[str | None]], folder: Path, one_by_one: bool) -> Measured:
    pictures = json.loads((folder / "test.json").read_text())
    paths = [path for path, _ in pictures][: ALONE if one_by_one else None]
    label(paths[:4])
    began, found = time.perf_counter(), []
    for chunk in [[path] for path in paths] if one_by_one else [paths]:
        found += label(chunk)
    seconds = time.perf_counter() - began
    right = sum(said == expected for said, (_, expected) in zip(found, pictures, strict=False))
    return measured(len(paths) / seconds, accuracy=right / len(paths))


def _task(folder: Path) -> ImageTraining:
    task = prepared_run(folder).task
    assert isinstance(task, ImageTraining)
    return task


def _labelled(path: Path, model: Any) -> list[tuple[str, int]]:
    return [(each, model.config.label2id[label]) for each, label in json.loads(path.read_text())]


def _square(path: str, side: int) -> torch.Tensor:
    image = Image.open(path).convert("RGB").resize((side, side), Image.Resampling.BILINEAR)
    return torch.from_numpy(numpy.array(image)).permute(2, 0, 1).contiguous()
