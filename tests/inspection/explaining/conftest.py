"""Examples of every task for the tests here."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "runs"))
from pictured import noisy_picture
from tiny_models import EXAMPLES, Example

from heed.inspection.explaining.asked import Asked
from heed.inspection.explaining.explain import explain
from heed.inspection.explanation import Explanation


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with one picture in it."""
    folder = tmp_path_factory.mktemp("pictures")
    noisy_picture((40, 160, 200), seed=4).save(folder / "picture.png")
    return folder


@pytest.fixture(scope="session", params=EXAMPLES)
def example(request: pytest.FixtureRequest, pictures: Path) -> Example:
    """Return a small untrained model of each task, and an input for it; no test changes it."""
    return EXAMPLES[request.param](pictures)


@pytest.fixture(scope="session")
def found(example: Example) -> Explanation:
    """Return all that can be seen of the example."""
    return explain(example.predictor, example.given, Asked(heads=True, steps=3))
