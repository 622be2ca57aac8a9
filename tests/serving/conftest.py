"""Two small runs to serve, and both of them loaded."""

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from serving_client import Served

from heed import api
from heed.serving.models import Models

TRAINING = {"steps": 30, "tokens_per_batch": 300, "learning_rate": 5e-3, "validations": 1, "threads": 1}
CLASSIFIER: dict[str, dict[str, object]] = {
    "tokens": {"kind": "words"},
    "model": {"kind": "textcnn", "embedding": 16, "filters": 12, "longest": 8, "word_dropout": 0.0},
    "training": {**TRAINING},
}
TRANSLATOR: dict[str, dict[str, object]] = {
    "tokens": {"kind": "words"},
    "model": {"width": 16, "heads": 2, "encoder_layers": 1, "decoder_layers": 1, "feedforward": 24, "longest": 12},
    "training": {**TRAINING},
}
COLOURS = {"red": "apple cherry blood", "blue": "sky sea ink", "green": "grass leaf frog"}


@pytest.fixture(scope="session")
def colours(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run that knows the colours of nine words; never change it."""
    folder = tmp_path_factory.mktemp("serving")
    rows = [
        (f"{one} {two}", label) for label, words in COLOURS.items() for one in words.split() for two in words.split()
    ]
    lines = ["text,label"] + [f"{text} {number},{label}" for number in range(8) for text, label in rows]
    (folder / "colours.csv").write_text("\n".join(lines) + "\n")
    data = str(folder / "colours.csv")
    return api.train("classify", data, model="textcnn", settings=CLASSIFIER, out=folder / "colours").path


@pytest.fixture(scope="session")
def reversing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run that has begun to learn to write words backwards; never change it."""
    folder, draw = tmp_path_factory.mktemp("serving"), random.Random(6)
    texts = [draw.choices(["one", "two", "three", "four", "five"], k=draw.randint(1, 5)) for _ in range(150)]
    (folder / "pairs.tsv").write_text("".join(f"{' '.join(each)}\t{' '.join(reversed(each))}\n" for each in texts))
    return api.train("translate", str(folder / "pairs.tsv"), settings=TRANSLATOR, out=folder / "reversing").path


@pytest.fixture(scope="session")
def served(colours: Path, reversing: Path) -> Iterator[Served]:
    """Return both runs, loaded."""
    models = Models([colours, reversing])
    models.start()
    models.wait(60)
    yield Served(models)
