"""A trained classifier of pictures in use: every probability, broken pictures named, results whatever the batch."""

import sys
from pathlib import Path

import pytest

from heed import api
from heed.data.records import LabelledImage
from heed.errors import DataError
from heed.prediction.picture_classifier import PictureClassifier

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "runs"))
from pictured import write_pictures

SETTINGS = {
    "model": {"image": 16, "patch": 8, "width": 16, "heads": 2, "layers": 1, "feedforward": 24, "drop_path": 0.0},
    "augmentation": {"colour": 0.0, "cutmix": 0.0, "erase": 0.0},
    "training": {"steps": 60, "tokens_per_batch": 80, "learning_rate": 5e-3, "validations": 1, "threads": 1},
}


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_pictures(tmp_path_factory.mktemp("colours") / "pictures")


@pytest.fixture(scope="module")
def run(pictures: Path) -> Path:
    return api.train("image", str(pictures), settings=SETTINGS, out=pictures.parent / "run").path


@pytest.fixture(scope="module")
def model(run: Path) -> PictureClassifier:
    found = api.load(run)
    assert isinstance(found, PictureClassifier)
    return found


def test_the_label_is_the_most_probable_one_and_all_probabilities_sum_to_one(
    model: PictureClassifier, pictures: Path
) -> None:
    found = model.predict([pictures / name / "003.png" for name in ("red", "blue", "green")])
    assert [each.label for each in found] == ["red", "blue", "green"]
    for each in found:
        assert sum(each.probabilities.values()) == pytest.approx(1, abs=1e-6)
        assert each.probability == max(each.probabilities.values()) == each.probabilities[each.label]
        assert list(each.probabilities) == ["blue", "green", "red"]


def test_a_result_does_not_depend_on_its_companions(model: PictureClassifier, pictures: Path) -> None:
    paths = sorted(pictures.rglob("*.png"))
    together = model.predict(paths)
    for path, found in list(zip(paths, together, strict=True))[::7]:
        (alone,) = model.predict([path])
        assert alone.label == found.label
        assert alone.probability == pytest.approx(found.probability, abs=1e-5)


def test_a_broken_picture_has_a_problem_and_no_label(model: PictureClassifier, pictures: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.png"
    broken.write_bytes((pictures / "red/000.png").read_bytes()[:100])
    first, second = model.predict([broken, pictures / "red/001.png"])
    assert (first.label, first.probability, first.probabilities) == (None, None, {})
    assert "can be read" in str(first.problem)
    assert second.label == "red"


def test_broken_pictures_are_not_scored_but_named(model: PictureClassifier, pictures: Path, tmp_path: Path) -> None:
    records = [LabelledImage(path, path.parent.name, str(path)) for path in sorted(pictures.rglob("*.png"))]
    found = model.evaluate([*records, LabelledImage(tmp_path / "gone.png", "red", "gone")])
    assert len(found.predictions) == 36
    assert [each.name for each in found.broken] == [str(tmp_path / "gone.png")]
    assert found.scores.accuracy > 0.9


def test_nothing_to_score_is_refused(model: PictureClassifier, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="None of 1 pictures can be read"):
        model.evaluate([LabelledImage(tmp_path / "gone.png", "red", "gone")])
