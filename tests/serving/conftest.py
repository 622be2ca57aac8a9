"""Small runs to serve, two of them loaded, and a real browser for the page."""

import random
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

sys.path.insert(0, str(Path(__file__).parent))

from page_server import Pages
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
SEER: dict[str, dict[str, object]] = {
    "model": {
        "image": 16,
        "patch": 8,
        "width": 12,
        "heads": 2,
        "layers": 1,
        "feedforward": 20,
        "dropout": 0.0,
        "stem": "patches",
        "pooling": "first",
    },
    "training": {"steps": 4, "validations": 1, "threads": 1},
}
CHROMIUM = shutil.which("chromium")
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


@pytest.fixture(scope="session")
def seeing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run that has begun to tell pictures of three colours apart; never change it."""
    folder = tmp_path_factory.mktemp("serving")
    for colour in ("red", "green", "blue"):
        (folder / "pictures" / colour).mkdir(parents=True)
        for number in range(12):
            picture = Image.effect_noise((16, 16), 20 + number).convert("RGB")
            tinted = Image.blend(picture, Image.new("RGB", (16, 16), colour), 0.6)
            tinted.save(folder / "pictures" / colour / f"{number}.png")
    return api.train("image", str(folder / "pictures"), settings=SEER, out=folder / "seeing").path


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Yield Chromium; the tests skip where it or playwright is missing.

    For one file of tests: while it runs, its loop is that of the thread, and no other file could have one.
    """
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture
def pages(browser: Any) -> Iterator[Pages]:
    """Yield what opens pages; a fault on one of them, or something that the policy refused, fails the test."""
    opened = Pages(browser)
    yield opened
    opened.close()
    assert opened.faults == []
