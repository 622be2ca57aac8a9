"""Scores of foretold numbers: correlation with the right ones, by value and by rank, and squared error."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heed.errors import DataError
from heed.tasks.bootstrap import RESAMPLES, SEED, BootstrapInterval, draw_counts, percentile_interval


@dataclass(frozen=True, slots=True)
class NumberScores:
    """Scores over `count` examples; intervals are bootstrapped over the examples."""

    count: int
    pearson: float  # from -1 to 1
    pearson_interval: BootstrapInterval
    spearman: float  # Pearson's correlation of the ranks, equal numbers sharing their mean rank
    spearman_interval: BootstrapInterval
    mean_squared_error: float
    mean_squared_error_interval: BootstrapInterval
    note: str  # why a correlation is 0 that has no value; else empty


def score(
    predicted: Sequence[float] | np.ndarray,
    expected: Sequence[float] | np.ndarray,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> NumberScores:
    """Return the scores of the predicted numbers, each against the expected one at its place.

    Where all numbers of one side are equal there is no correlation to compute: it counts as 0, and `note` says so.
    """
    predicted_N, expected_N = np.asarray(predicted, np.float64), np.asarray(expected, np.float64)
    _check(predicted_N, expected_N)
    once_1N = np.ones((1, len(expected_N)))
    drawn = [_drawn_scores(counts, predicted_N, expected_N) for counts in draw_counts(len(expected_N), resamples, seed)]
    pearson_R, spearman_R, error_R = np.concatenate(drawn, axis=1)
    pearson, spearman, error = _drawn_scores(once_1N, predicted_N, expected_N)[:, 0].tolist()
    return NumberScores(
        count=len(expected_N),
        pearson=pearson,
        pearson_interval=percentile_interval(pearson_R, seed),
        spearman=spearman,
        spearman_interval=percentile_interval(spearman_R, seed),
        mean_squared_error=error,
        mean_squared_error_interval=percentile_interval(error_R, seed),
        note=_note(predicted_N, expected_N),
    )


def spearman_of_pairs(pairs_N2: np.ndarray) -> float:
    """Return Spearman's correlation of two columns; 0 where one of them is constant."""
    once_1N = np.ones((1, len(pairs_N2)))
    first_1N, second_1N = (_ranks(once_1N, pairs_N2[:, column]) for column in (0, 1))
    return float(_correlation(once_1N, first_1N, second_1N)[0])


def _drawn_scores(counts_RN: np.ndarray, predicted_N: np.ndarray, expected_N: np.ndarray) -> np.ndarray:
    """Return Pearson, Spearman and mean squared error (3, R) when example n is there counts_RN[r, n] times."""
    pearson_R = _correlation(counts_RN, predicted_N[None], expected_N[None])
    spearman_R = _correlation(counts_RN, _ranks(counts_RN, predicted_N), _ranks(counts_RN, expected_N))
    error_R = counts_RN @ (predicted_N - expected_N) ** 2 / counts_RN.sum(axis=1)
    return np.stack([pearson_R, spearman_R, error_R])


def _ranks(counts_RN: np.ndarray, values_N: np.ndarray) -> np.ndarray:
    """Return the rank (R, N) of each value in each resample, equal values sharing the mean of their places."""
    distinct, number_N = np.unique(values_N, return_inverse=True)
    order = number_N.argsort(kind="stable")
    starts = np.searchsorted(number_N[order], np.arange(len(distinct)))
    copies_RU = np.add.reduceat(counts_RN[:, order], starts, axis=1)
    last_RU = copies_RU.cumsum(axis=1)
    return (last_RU - (copies_RU - 1) / 2)[:, number_N]


def _correlation(counts_RN: np.ndarray, first_RN: np.ndarray, second_RN: np.ndarray) -> np.ndarray:
    """Return Pearson's correlation in each resample; 0 where one side does not vary."""
    first_RN, second_RN = _centred(counts_RN, first_RN), _centred(counts_RN, second_RN)
    together_R = (counts_RN * first_RN * second_RN).sum(axis=1)
    lengths_R = np.sqrt((counts_RN * first_RN**2).sum(axis=1)) * np.sqrt((counts_RN * second_RN**2).sum(axis=1))
    correlation_R = np.divide(together_R, lengths_R, out=np.zeros(len(counts_RN)), where=lengths_R > 0)
    return correlation_R.clip(-1, 1)  # rounding may pass the ends


def _centred(counts_RN: np.ndarray, values_RN: np.ndarray) -> np.ndarray:
    """Return the values less their mean in each resample; those that are all equal become exactly 0."""
    total_R1 = counts_RN.sum(axis=1, keepdims=True)
    centred_RN = values_RN - (counts_RN * values_RN).sum(axis=1, keepdims=True) / total_R1
    there_RN = counts_RN > 0
    lowest_R1 = np.where(there_RN, values_RN, np.inf).min(axis=1, keepdims=True)
    highest_R1 = np.where(there_RN, values_RN, -np.inf).max(axis=1, keepdims=True)
    return np.where(lowest_R1 < highest_R1, centred_RN, 0.0)


def _note(predicted_N: np.ndarray, expected_N: np.ndarray) -> str:
    for name, numbers_N in (("predicted", predicted_N), ("expected", expected_N)):
        if numbers_N.min() == numbers_N.max():
            return f"All {name} numbers are {numbers_N[0]:g}, so no correlation can be computed: it counts as 0."
    return ""


def _check(predicted_N: np.ndarray, expected_N: np.ndarray) -> None:
    if predicted_N.shape != expected_N.shape or predicted_N.ndim != 1:
        raise DataError(
            f"The predicted numbers are {predicted_N.shape} and the expected ones {expected_N.shape}. "
            f"Give one list of each, equally long."
        )
    if len(expected_N) == 0:
        raise DataError("There are 0 numbers to score. Give at least one.")
    for name, numbers_N in (("predicted", predicted_N), ("expected", expected_N)):
        if not np.isfinite(numbers_N).all():
            place = int(np.isfinite(numbers_N).argmin())
            raise DataError(f"The {name} number {place} is {numbers_N[place]}. Give finite numbers only.")
