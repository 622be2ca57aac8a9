"""Scores of numbers: equal to scipy, ties and constants included, with intervals from exact resamples."""

import warnings

import numpy as np
import pytest
from scipy import stats

from heed.errors import DataError
from heed.tasks.bootstrap import draw_counts
from heed.tasks.number_scores import score, spearman_of_pairs


def numbers(count: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return predicted and expected numbers that go together; the expected ones have many ties."""
    generator = np.random.default_rng(seed)
    expected = generator.integers(6, size=count).astype(float)
    return expected + generator.normal(size=count), expected


@pytest.mark.parametrize(
    ("predicted", "expected"),
    [
        ([1.0, 2.0, 3.0, 10.0], [1.0, 2.0, 3.0, 4.0]),
        ([1.0, 1.0, 2.0, 2.0, 0.0], [3.0, 1.0, 3.0, 3.0, 1.0]),
        ([5.0, 4.0, 1.0], [1.0, 2.0, 9.0]),
        ([1e9 + 1, 1e9 + 2, 1e9 + 4], [1.0, 3.0, 2.0]),
        ([2.0, 1.0], [1.0, 2.0]),
    ],
)
def test_correlations_are_those_of_scipy(predicted: list[float], expected: list[float]) -> None:
    scores = score(predicted, expected)
    assert scores.pearson == pytest.approx(stats.pearsonr(predicted, expected).statistic)
    assert scores.spearman == pytest.approx(stats.spearmanr(predicted, expected).statistic)
    assert scores.mean_squared_error == pytest.approx(np.mean(np.subtract(predicted, expected) ** 2))
    assert scores.note == ""
    assert spearman_of_pairs(np.stack([predicted, expected], axis=1)) == pytest.approx(scores.spearman)


def test_many_numbers_score_as_in_scipy() -> None:
    predicted, expected = numbers(400)
    scores = score(predicted, expected)
    assert scores.pearson == pytest.approx(stats.pearsonr(predicted, expected).statistic)
    assert scores.spearman == pytest.approx(stats.spearmanr(predicted, expected).statistic)


def test_intervals_come_from_scoring_each_resample_anew() -> None:
    predicted, expected = numbers(40)
    values = []
    for counts_RN in draw_counts(40, 200, seed=3):
        for counts_N in counts_RN:
            rows = np.repeat(np.arange(40), counts_N)
            pearson = stats.pearsonr(predicted[rows], expected[rows]).statistic
            spearman = stats.spearmanr(predicted[rows], expected[rows]).statistic
            values.append([pearson, spearman, np.mean((predicted[rows] - expected[rows]) ** 2)])
    expected_bounds = np.quantile(values, [0.025, 0.975], axis=0).T
    scores = score(predicted, expected, resamples=200, seed=3)
    intervals = (scores.pearson_interval, scores.spearman_interval, scores.mean_squared_error_interval)
    np.testing.assert_allclose([(interval.low, interval.high) for interval in intervals], expected_bounds)


def test_every_resample_has_as_many_examples_as_there_are() -> None:
    chunks = list(draw_counts(3_000_000, 2, seed=0))
    assert [chunk.shape for chunk in chunks] == [(1, 3_000_000)] * 2
    assert all(chunk.sum() == 3_000_000 for chunk in chunks)
    assert (chunks[0] != chunks[1]).any()


@pytest.mark.parametrize(
    ("predicted", "expected", "note"),
    [
        ([2.1, 2.1, 2.1], [1.0, 2.0, 3.0], "All predicted numbers are 2.1, so no correlation can be computed"),
        ([1.0, 2.0, 3.0], [0.1, 0.1, 0.1], "All expected numbers are 0.1,"),
        ([4.0], [5.0], "All predicted numbers are 4,"),
    ],
)
def test_numbers_that_do_not_vary_have_a_correlation_of_0_and_a_note(
    predicted: list[float], expected: list[float], note: str
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scores = score(predicted, expected)
    assert (scores.pearson, scores.spearman) == (0, 0)
    assert (scores.pearson_interval.low, scores.pearson_interval.high) == (0, 0)
    assert note in scores.note


def test_few_numbers_are_scored_without_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scores = score([1.0, 2.0], [1.0, 3.0])
    assert scores.pearson == pytest.approx(1)
    assert scores.spearman_interval.low == 0  # half of all resamples hold one of the two only


@pytest.mark.parametrize(
    ("predicted", "expected", "message"),
    [
        ([1.0], [1.0, 2.0], r"\(1,\) and the expected ones \(2,\)"),
        ([[1.0]], [[1.0]], r"\(1, 1\) and the expected ones \(1, 1\)"),
        ([], [], "0 numbers to score"),
        ([1.0, float("nan")], [1.0, 2.0], "The predicted number 1 is nan"),
        ([1.0, 2.0], [float("inf"), 2.0], "The expected number 0 is inf"),
    ],
)
def test_what_cannot_be_scored_is_refused_with_its_value(predicted: list, expected: list, message: str) -> None:
    with pytest.raises(DataError, match=message):
        score(predicted, expected)
