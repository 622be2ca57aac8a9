"""A trained classifier in use: every probability, nothing silently cut, and results that do not depend on the batch."""

from pathlib import Path

import pytest

from heed import api
from heed.errors import DataError, UsageError
from heed.prediction.classifier import Classifier, ClassifierEvaluation
from heed.prediction.loading import load_classifier, load_translator

SETTINGS = {
    "tokens": {"kind": "words"},
    "model": {"kind": "textcnn", "embedding": 16, "filters": 12, "longest": 6, "word_dropout": 0.0},
    "training": {"steps": 60, "tokens_per_batch": 300, "learning_rate": 5e-3, "validations": 1, "threads": 1},
}
TEXTS = {"red": "apple cherry blood", "blue": "sky sea", "green": "grass leaf frog"}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run that knows the colour of seven words."""
    folder = tmp_path_factory.mktemp("colours")
    rows = [
        (f"{first} {second}", label)
        for label, words in TEXTS.items()
        for first in words.split()
        for second in words.split()
    ]
    lines = ["text,label"] + [f"{text} {number},{label}" for number in range(12) for text, label in rows]
    (folder / "colours.csv").write_text("\n".join(lines) + "\n")
    return api.train(
        "classify", str(folder / "colours.csv"), model="textcnn", settings=SETTINGS, out=folder / "run"
    ).path


@pytest.fixture(scope="module")
def classifier(run: Path) -> Classifier:
    return load_classifier(run)


def test_the_label_is_the_most_probable_one_and_all_probabilities_sum_to_one(classifier: Classifier) -> None:
    for found in classifier.predict(["apple cherry", "sea", "frog grass"]):
        assert sum(found.probabilities.values()) == pytest.approx(1, abs=1e-6)
        assert found.label == max(found.probabilities, key=found.probabilities.__getitem__)
        assert found.probability == found.probabilities[found.label]
        assert list(found.probabilities) == ["blue", "green", "red"]
    assert [found.label for found in classifier.predict(["apple cherry", "sea", "frog grass"])] == [
        "red",
        "blue",
        "green",
    ]


def test_what_is_unknown_or_cut_is_counted(classifier: Classifier) -> None:
    (found,) = classifier.predict(["apple zebra " + "sky " * 9])
    assert (found.unknown, found.cut) == (1, 5)


def test_a_result_does_not_depend_on_its_companions(classifier: Classifier) -> None:
    texts = ["apple", "sky sea sky sea", "", "frog leaf grass frog leaf", "cherry"]
    together = classifier.predict(texts)
    for text, found in zip(texts, together, strict=True):
        alone = classifier.predict([text])[0]
        assert alone.label == found.label
        assert alone.probability == pytest.approx(found.probability, abs=1e-6)


def test_evaluation_gives_scores_and_what_was_said_of_each(run: Path, tmp_path: Path) -> None:
    (tmp_path / "test.csv").write_text("text,label\napple,red\nsky,blue\nfrog,red\n")
    found = api.evaluate(run, str(tmp_path / "test.csv")).unseen
    assert isinstance(found, ClassifierEvaluation)
    assert [each.label for each in found.predictions] == ["red", "blue", "green"]
    assert found.scores.accuracy == pytest.approx(2 / 3)


def test_a_label_that_the_model_does_not_know_is_refused(run: Path, tmp_path: Path) -> None:
    (tmp_path / "test.csv").write_text("text,label\napple,red\nsky,blu\n")
    with pytest.raises(DataError, match="blu"):
        api.evaluate(run, str(tmp_path / "test.csv"))


def test_a_pair_given_to_a_model_of_single_texts_is_refused(classifier: Classifier) -> None:
    with pytest.raises(UsageError, match="one text at a time; 2 came"):
        classifier.predict([("apple", "sky")])


def test_a_classifier_is_not_taken_for_a_translator(run: Path) -> None:
    with pytest.raises(UsageError, match="holds a classifier"):
        load_translator(run)
