"""Translators for the tests here: one trained for a few seconds on reversing words, and its run's folder."""

import random
from pathlib import Path

import pytest

from heed import api
from heed.prediction.translator import Translator

WORDS = ("one", "two", "three", "four", "five", "six", "seven")
SETTINGS: dict[str, dict[str, object]] = {
    "tokens": {"kind": "words"},
    "model": {
        "width": 32,
        "heads": 2,
        "encoder_layers": 1,
        "decoder_layers": 1,
        "feedforward": 48,
        "longest": 24,
        "dropout": 0.0,
    },
    "training": {
        "steps": 60,
        "tokens_per_batch": 400,
        "learning_rate": 5e-3,
        "validations": 1,
        "average": 0.9,
        "threads": 1,
    },
}


@pytest.fixture(scope="session")
def pairs_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a table of made-up pairs, the target being the source backwards."""
    draw = random.Random(6)
    texts = [draw.choices(WORDS, k=draw.randint(1, 6)) for _ in range(300)]
    path = tmp_path_factory.mktemp("data") / "pairs.tsv"
    path.write_text("".join(f"{' '.join(words)}\t{' '.join(reversed(words))}\n" for words in texts))
    return path


@pytest.fixture(scope="session")
def run(pairs_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a finished run; never change it."""
    out = tmp_path_factory.mktemp("runs") / "reversing"
    return api.train("translate", str(pairs_file), settings=SETTINGS, out=out).path


@pytest.fixture(scope="session")
def translator(run: Path) -> Translator:
    """Return the run's model, ready to use."""
    return api.load(run)
