"""The translation benchmark compares equals: both sides say the same with the same weights. Every contender runs."""

import importlib.util
import json
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

import heed

os.environ["HF_HUB_OFFLINE"] = "1"
pytest.importorskip("transformers")
BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
SETTINGS = {
    "model": {"kind": "transformer", "width": 32, "heads": 2, "encoder_layers": 1, "decoder_layers": 1}
    | {"feedforward": 48, "norm_place": "after", "positions": "sinusoid-concat", "activation": "gelu", "longest": 40},
    "tokens": {"size": 300},
    "training": {"steps": 30, "learning_rate": 0.01, "validations": 1, "average": 0.0},
}


@pytest.fixture(scope="module")
def contenders() -> ModuleType:
    sys.path.insert(0, str(BENCHMARKS))
    try:
        return importlib.import_module("translate").contenders
    finally:
        sys.path.remove(str(BENCHMARKS))


@pytest.fixture(scope="module")
def folder(contenders: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return what the benchmark prepares: a run, the same weights as Marian, and texts to decode."""
    folder = tmp_path_factory.mktemp("benchmark")
    run = heed.train("translate", ["demo:fr-en"], settings=SETTINGS, out=folder / "run")
    sys.modules["marian"].to_marian(run.load().model).save_pretrained(folder / "marian")
    (folder / "test.json").write_text(
        json.dumps([["je visite Paris .", "I visit Paris ."], ["elle dort .", "she sleeps ."]])
    )
    return folder


@pytest.mark.slow
def test_both_sides_decode_the_same(contenders: ModuleType, folder: Path) -> None:
    ours, theirs = (decode(folder, 1, 2, 2) for decode in (contenders.decode_ours, contenders.decode_marian))
    assert ours["bleu"] == pytest.approx(theirs["bleu"])
    assert min(each["speed"] for each in (ours, theirs)) > 0


@pytest.mark.slow
def test_both_sides_search_with_four_beams(contenders: ModuleType, folder: Path) -> None:
    # Not with equal results: the peer gives up on beams that could still win.
    for decode in (contenders.decode_ours, contenders.decode_marian):
        assert decode(folder, 4, 2, 2)["speed"] > 0


@pytest.mark.slow
def test_every_contender_of_training_takes_its_steps(contenders: ModuleType, folder: Path) -> None:
    assert sys.modules["ours"].train_ours(folder, 1)["speed"] > 0
    if importlib.util.find_spec("accelerate") is None:
        pytest.skip("the peer's trainer needs accelerate, which is part of heed[bench]")
    assert contenders.train_marian(folder, 1, "group_by_length")["speed"] > 0
