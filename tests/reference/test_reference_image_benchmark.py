"""The benchmark of pictures compares equals: both sides say the same of the same files. Every contender runs."""

import argparse
import importlib
import importlib.util
import json
import os
import sys
from pathlib import Path
from types import ModuleType

import numpy
import pytest
import torch
from PIL import Image

import heed
from heed.models.vit import VitSettings

os.environ["HF_HUB_OFFLINE"] = "1"
pytest.importorskip("transformers")
BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
SMALL = VitSettings(image=24, patch=8, width=12, heads=3, layers=2, feedforward=20)
LABELS = ("ash", "birch", "cedar")


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    sys.path.insert(0, str(BENCHMARKS))
    try:
        return importlib.import_module("image")
    finally:
        sys.path.remove(str(BENCHMARKS))


@pytest.fixture(scope="module")
def folder(benchmark: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return what the benchmark prepares, for a few pictures that are no squares and a small model."""
    folder = tmp_path_factory.mktemp("benchmark")
    generator = numpy.random.default_rng(1)
    for number in range(90):
        path = folder / "data" / LABELS[number % 3] / f"{number}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(generator.integers(0, 256, (30 + number, 41, 3), dtype=numpy.uint8)).save(path)
    options = argparse.Namespace(data=str(folder / "data"), model="small", prepare_steps=1, threads=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(benchmark.PRESETS, "small", SMALL)
        benchmark.prepare(options, folder)
    return folder


@pytest.mark.slow
@torch.inference_mode()
def test_both_sides_say_the_same_of_every_file(benchmark: ModuleType, folder: Path) -> None:
    paths = [path for path, _ in json.loads((folder / "test.json").read_text())]
    ours = [list(found.probabilities.values()) for found in heed.load(folder / "run").predict(list(map(Path, paths)))]
    model, processor = benchmark.contenders.load_vit(folder)
    images = [Image.open(path).convert("RGB") for path in paths]
    theirs = model(**processor(images, return_tensors="pt")).logits.softmax(dim=-1)
    assert len(paths) == 90
    torch.testing.assert_close(torch.tensor(ours), theirs, rtol=0, atol=1e-5)


@pytest.mark.slow
def test_both_sides_find_the_same_labels(benchmark: ModuleType, folder: Path) -> None:
    for one_by_one in (False, True):
        ours, theirs = (
            predict(folder, one_by_one=one_by_one)
            for predict in (benchmark.contenders.predict_ours, benchmark.contenders.predict_vit)
        )
        assert ours["accuracy"] == pytest.approx(theirs["accuracy"])
        assert min(ours["speed"], theirs["speed"]) > 0


@pytest.mark.slow
def test_pictures_decoded_before_are_those_opened_each_time(benchmark: ModuleType, folder: Path) -> None:
    contenders = benchmark.contenders
    model, processor = contenders.load_vit(folder)
    pictures = contenders._labelled(folder / "train.json", model)
    opened, decoded = (kind(pictures, processor) for kind in (contenders.OpenedFiles, contenders.DecodedFiles))
    batch = decoded.collate([decoded[number] for number in (2, 0, 5)])
    for row, number in enumerate((2, 0, 5)):
        torch.testing.assert_close(batch["pixel_values"][row], opened[number]["pixel_values"], rtol=0, atol=1e-5)
        assert int(batch["labels"][row]) == opened[number]["labels"]
    assert len(opened) == len(decoded) == len(pictures) > 20


@pytest.mark.slow
def test_our_batches_hold_as_many_pictures_as_the_peers(benchmark: ModuleType, folder: Path) -> None:
    settings = json.loads((folder / "run" / "settings.json").read_text())
    task = benchmark.contenders._task(folder)
    task.lengths = numpy.tile(task.lengths[:1], (200, 1))
    batches = task.order(1, 0, settings["training"]["tokens_per_batch"], window=1000)
    assert max(map(len, batches)) == benchmark.contenders.BATCH


@pytest.mark.slow
def test_every_contender_of_pictures_takes_its_steps(benchmark: ModuleType, folder: Path) -> None:
    contenders = benchmark.contenders
    assert contenders.train_heed(folder, 1)["speed"] > 0
    if importlib.util.find_spec("accelerate") is None:
        pytest.skip("the peer's trainer needs accelerate, which is part of heed[bench]")
    assert contenders.train_vit_from_files(folder, 1)["speed"] > 0
    assert contenders.train_vit_decoded(folder, 1)["speed"] > 0
