"""Scores of classifiers: equal to scikit-learn, worked by hand, and intervals that hold what they promise."""

import dataclasses
import json
import time
import warnings

import numpy as np
import pytest
from sklearn import metrics

from heed.errors import DataError
from heed.tasks.classification_scores import calibration_error, score

NAMES = ["bad", "fair", "good", "never"]


def drawn(count: int, classes: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return probabilities, and labels that they foretell fairly well."""
    generator = np.random.default_rng(seed)
    expected = generator.integers(classes, size=count)
    logits_NC = generator.normal(size=(count, classes)) + 1.5 * np.eye(classes)[expected]
    exponentials_NC = np.exp(logits_NC)
    return exponentials_NC / exponentials_NC.sum(axis=1, keepdims=True), expected


def certain(predicted: list[int], classes: int) -> np.ndarray:
    return np.eye(classes)[predicted]


@pytest.mark.parametrize(
    ("predicted", "expected"),
    [
        ([0, 1, 2, 0, 1, 1, 0], [0, 1, 2, 2, 1, 0, 0]),
        ([0, 0, 0], [1, 1, 2]),  # never right
        ([3, 3, 0], [0, 0, 0]),  # a label that no text has, and one that is never given
    ],
)
def test_scores_are_those_of_scikit_learn(predicted: list[int], expected: list[int]) -> None:
    scores = score(certain(predicted, 4), expected, NAMES)
    labels = range(4)
    reference = metrics.precision_recall_fscore_support(expected, predicted, labels=labels, zero_division=0)
    found = [[getattr(each, name) for each in scores.labels] for name in ("precision", "recall", "f1", "support")]
    np.testing.assert_allclose(found, reference)
    assert scores.accuracy == pytest.approx(metrics.accuracy_score(expected, predicted))
    macro = metrics.f1_score(expected, predicted, labels=labels, average="macro", zero_division=0)
    assert scores.macro_f1 == pytest.approx(macro)
    assert scores.confusion == tuple(map(tuple, metrics.confusion_matrix(expected, predicted, labels=labels).tolist()))
    assert [each.name for each in scores.labels] == NAMES
    assert scores.count == len(expected)


@pytest.mark.parametrize("classes", [2, 3, 7])
def test_scores_of_many_texts_are_those_of_scikit_learn(classes: int) -> None:
    probabilities_NC, expected = drawn(500, classes)
    scores = score(probabilities_NC, expected, [str(number) for number in range(classes)])
    predicted = probabilities_NC.argmax(axis=1)
    assert scores.accuracy == pytest.approx(metrics.accuracy_score(expected, predicted))
    assert scores.macro_f1 == pytest.approx(metrics.f1_score(expected, predicted, average="macro"))
    assert scores.log_loss == pytest.approx(metrics.log_loss(expected, probabilities_NC))


def test_f1_of_the_second_of_two_labels_is_given_and_only_then() -> None:
    probabilities_NC, expected = drawn(300, 2)
    positive = score(probabilities_NC, expected, ["no", "yes"]).positive
    assert positive is not None
    assert positive.name == "yes"
    assert positive.f1 == pytest.approx(metrics.f1_score(expected, probabilities_NC.argmax(axis=1)))
    assert positive.interval.low < positive.f1 < positive.interval.high
    assert score(certain([0, 1], 4), [0, 1], NAMES).positive is None
    assert score(np.ones((3, 1)), [0, 0, 0], ["only"]).positive is None


def test_the_log_loss_of_a_certain_mistake_is_large_but_finite() -> None:
    loss = score(certain([1, 0], 4), [0, 0], NAMES).log_loss
    assert loss == pytest.approx(metrics.log_loss([0, 0], certain([1, 0], 4), labels=range(4)))
    assert loss == pytest.approx(-np.log(2.220446049250313e-16) / 2)


def test_the_calibration_error_is_the_value_worked_by_hand() -> None:
    # Bins are 1/15 wide. 0.61 and 0.65 share one, sum 1.26, one right: gap 0.26. 0.95 is alone and right: gap 0.05.
    probabilities_NC = np.array([[0.61, 0.39], [0.35, 0.65], [0.95, 0.05]])
    assert calibration_error(probabilities_NC, np.array([0, 0, 0])) == pytest.approx((0.26 + 0.05) / 3)


def test_the_upper_edge_belongs_to_its_bin() -> None:
    # With two bins 0.5 falls into the lower one and 0.6 into the upper one; together they would give |1.1 - 1|.
    probabilities_NC = np.array([[0.5, 0.3, 0.2], [0.6, 0.2, 0.2]])
    assert calibration_error(probabilities_NC, np.array([0, 1]), bins=2) == pytest.approx((0.5 + 0.6) / 2)


def test_a_classifier_that_knows_how_often_it_is_right_has_no_calibration_error() -> None:
    probabilities_NC = np.tile([0.75, 0.25], (8, 1))
    assert calibration_error(probabilities_NC, np.array([0, 0, 0, 1] * 2)) == pytest.approx(0)


def test_intervals_are_those_of_drawing_the_texts_themselves() -> None:
    probabilities_NC, expected = drawn(200, 3)
    probabilities_NC *= [6, 1, 1]  # one label is given too often, so that precision and recall differ
    probabilities_NC /= probabilities_NC.sum(axis=1, keepdims=True)
    predicted, generator = probabilities_NC.argmax(axis=1), np.random.default_rng(5)
    values = []
    for _ in range(1500):
        rows = generator.integers(200, size=200)
        has, given = ([row[rows] == label for label in range(3)] for row in (expected, predicted))
        f1 = [2 * np.sum(one & other) / (np.sum(one) + np.sum(other)) for one, other in zip(has, given, strict=True)]
        values.append([np.mean(expected[rows] == predicted[rows]), np.mean(f1)])
    (low, low_f1), (high, high_f1) = np.quantile(values, [0.025, 0.975], axis=0)
    scores = score(probabilities_NC, expected, ["a", "b", "c"], resamples=4000)
    assert scores.accuracy_interval.low == pytest.approx(low, abs=0.012)
    assert scores.accuracy_interval.high == pytest.approx(high, abs=0.012)
    assert scores.macro_f1_interval.low == pytest.approx(low_f1, abs=0.012)
    assert scores.macro_f1_interval.high == pytest.approx(high_f1, abs=0.012)


def test_intervals_are_the_same_for_the_same_seed_and_move_with_the_seed() -> None:
    probabilities_NC, expected = drawn(100, 3)
    first, again, other = (score(probabilities_NC, expected, ["a", "b", "c"], seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first.macro_f1_interval != other.macro_f1_interval
    assert first.accuracy_interval.level == 0.95


def test_a_perfect_classifier_has_an_interval_without_width() -> None:
    scores = score(certain([0, 1, 2, 3], 4), [0, 1, 2, 3], NAMES)
    assert (scores.accuracy_interval.low, scores.accuracy_interval.high) == (1, 1)


def test_ten_thousand_texts_take_no_time() -> None:
    probabilities_NC, expected = drawn(10_000, 5)
    began = time.process_time()
    score(probabilities_NC, expected, list("abcde"))
    assert time.process_time() - began < 1


def test_scores_can_be_written_as_json() -> None:
    probabilities_NC, expected = drawn(20, 2)
    scores = score(probabilities_NC, expected, ["no", "yes"])
    assert json.loads(json.dumps(dataclasses.asdict(scores)))["accuracy"] == scores.accuracy


@pytest.mark.parametrize(
    ("probabilities_NC", "expected", "message"),
    [
        (np.ones((0, 2)), [], "0 texts to score"),
        (np.full((2, 2), 0.5), [0], r"\(2, 2\), for 1 texts and 2 labels"),
        (np.full((2, 3), 1 / 3), [0, 1], r"\(2, 3\), for 2 texts and 2 labels"),
        (np.full((2, 2), 0.5), [0, 2], "run from 0 to 2. Use 0 to 1."),
        (np.full((2, 2), 0.5), [-1, 1], "run from -1 to 1"),
        (np.array([[0.5, 0.5], [3.0, -1.0]]), [0, 1], r"text 1 are \[3.0, -1.0\]"),
        (np.array([[0.5, 0.5], [np.nan, 1.0]]), [0, 1], r"text 1 are \[nan, 1.0\]"),
        (np.array([[0.5, 0.5], [1.5, -0.5]]), [0, 1], r"text 1 are \[1.5, -0.5\]"),
    ],
)
def test_what_cannot_be_scored_is_refused_with_its_value(
    probabilities_NC: np.ndarray, expected: list[int], message: str
) -> None:
    with pytest.raises(DataError, match=message):
        score(probabilities_NC, expected, ["no", "yes"])


def test_scoring_warns_of_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        score(certain([3, 3, 0], 4), [0, 0, 0], NAMES)
