"""Is one model better than another, or was it chance? All gaps of a comparison, tested together.

A score would be different with other test texts and with other seeds, so a gap must stand out from both. And the best
of several models is chosen by the very scores that are tested: of ten equal models one is always first. So all pairs
are tested by Tukey's range test, whose 95 % hold for all of them at once: if all models are equal, about one comparison
in twenty, or fewer, calls any gap real, whichever model happens to be first.

The variance of a gap has two parts. By texts: the same for all models, since all were tested on the same easy and hard
ones. By seeds: how far the runs of a model differ beyond what single texts explain, which the first part has already.
Two to five seeds give a poor estimate, so a model has the mean variance over all models, or its own if that is larger,
for seeds do not matter equally to all models. The two parts have many and few degrees of freedom; each is multiplied by
the range for its own, and the squares are added (Howe 1974). benchmarks/gap_error_rates.py measures the error rates.

Letters of shapes: M models, S runs of a model, N texts, K numbers of a text, R resamples.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special  # type: ignore[import-untyped]

from heed.comparing.studentised_range import StudentisedRange, studentised_range
from heed.tasks.bootstrap import LEVEL, SEED

RESAMPLES = 1000  # of texts, where a score is no mean over them


@dataclass(frozen=True, slots=True)
class Interval:
    """The mean over seeds, and where the mean over ever more seeds would lie; no bounds from a single seed."""

    mean: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean of one model less that of the other, and whether it is more than chance.

    Interval and p-value hold for all pairs of a comparison at once: 0 lies outside just where p_value is below 0.05.
    """

    mean: float
    low: float
    high: float
    p_value: float  # of a largest gap of the comparison at least so large, if all its models were equal
    real: bool  # p_value is below 0.05, and the luck of seeds is part of it
    one_seed: bool = False  # one of the two was trained once, though its seed matters: only texts are accounted for


@dataclass(frozen=True)
class Spread:
    """What is known of all models of a comparison: mean scores and the variances of these."""

    mean_M: np.ndarray
    texts_MM: np.ndarray  # variance of the difference of two means, by texts
    runs_M: np.ndarray  # how many there are
    whole_M: np.ndarray  # variance of a single run over seeds; 0 where there is one run
    due_M: np.ndarray  # how much of that single texts bring about
    texts: int


def interval_over_seeds(values: Sequence[float], level: float = LEVEL) -> Interval:
    """Return the mean and its interval by Student's t."""
    mean = float(np.mean(values))
    if len(values) < 2:
        return Interval(mean, None, None)
    quantile = special.stdtrit(len(values) - 1, (1 + level) / 2)
    half_width = float(quantile * np.std(values, ddof=1) / math.sqrt(len(values)))
    return Interval(mean, mean - half_width, mean + half_width)


def spread_of_means(models: Sequence[np.ndarray]) -> Spread:
    """Return the spread of models whose score is a mean over texts: of right or wrong, or of an error.

    A model has an array (S, N): a row is a run with its own seed, a column a text. Numbers of runs may differ.
    """
    models = [np.asarray(runs_SN, np.float64) for runs_SN in models]
    mean_MN = np.array([runs_SN.mean(axis=0) for runs_SN in models])
    texts = mean_MN.shape[1]
    apart = [runs_SN - runs_SN.mean(axis=0) for runs_SN in models]
    return Spread(
        mean_M=mean_MN.mean(axis=1),
        texts_MM=np.array([_variances_of_means(mean_MN - own_N) for own_N in mean_MN]),
        runs_M=np.array([len(runs_SN) for runs_SN in models]),
        whole_M=np.array([_variance(runs_SN.mean(axis=1)) for runs_SN in models]),
        due_M=np.array([_unbiased(apart_SN.var(axis=1) / texts) for apart_SN in apart]),
        texts=texts,
    )


def _variances_of_means(gap_MN: np.ndarray) -> np.ndarray:
    """Return the variance of the mean of each row, with one more text: the largest gap, the other way round.

    Texts that were met say nothing of one that was not. Without it four texts that differ, all in favour of one model,
    would make a real gap; by the sign test their chance is one in eight.
    """
    texts = gap_MN.shape[1] + 1
    unseen_M = np.abs(gap_MN).max(axis=1)
    mean_M = (np.abs(gap_MN.sum(axis=1)) - unseen_M) / texts
    return np.asarray(((gap_MN**2).sum(axis=1) + unseen_M**2) / texts - mean_M**2) / (texts - 1)


def spread_of_scores(
    models: Sequence[np.ndarray], score: Callable[[np.ndarray], float], resamples: int = RESAMPLES, seed: int = SEED
) -> Spread:
    """Return the spread of models whose score is no mean over texts, such as BLEU or a correlation.

    A model has an array (S, N, K); `score` is given the K numbers of each text that one run is scored by: (N, K). The
    texts are drawn with replacement, the same ones for all runs of all models.
    """
    generator, texts = np.random.default_rng(seed), models[0].shape[1]
    drawn = [
        [np.array([score(run_NK[chosen]) for run_NK in runs_SNK]) for runs_SNK in models]
        for chosen in (generator.integers(texts, size=texts) for _ in range(resamples))
    ]
    drawn_MRS = [np.array([each[place] for each in drawn]) for place in range(len(models))]
    observed = [np.array([score(run_NK) for run_NK in runs_SNK]) for runs_SNK in models]
    mean_M = np.array([scores_S.mean() for scores_S in observed])
    mean_MR = np.array([each_RS.mean(axis=1) for each_RS in drawn_MRS])
    gap_MM = mean_M[:, None] - mean_M
    return Spread(
        mean_M=mean_M,
        # Never 0 where there is a gap: few texts, or equal ones, would prove anything.
        texts_MM=(mean_MR[:, None] - mean_MR).var(axis=2) + (gap_MM / texts) ** 2,
        runs_M=np.array([len(scores_S) for scores_S in observed]),
        whole_M=np.array([_variance(scores_S) for scores_S in observed]),
        due_M=np.array([_unbiased((each - each.mean(axis=1, keepdims=True)).var(axis=0)) for each in drawn_MRS]),
        texts=texts,
    )


def differences(spread: Spread) -> list[list[Difference]]:
    """Return the difference of every model to every other, a row a model; all hold at once."""
    seeds_M, degrees = _seed_variances(spread)
    by_texts = studentised_range(len(seeds_M), max(1, spread.texts - 1))
    by_seeds = studentised_range(len(seeds_M), degrees) if degrees else by_texts
    parts = [_Part(spread.texts_MM, by_texts), _Part(seeds_M[:, None] + seeds_M, by_seeds)]
    gap_MM = spread.mean_M[:, None] - spread.mean_M
    half_MM = np.sqrt(_square(parts, np.full(gap_MM.shape, 1 - LEVEL)))
    chance_MM = _chances(gap_MM**2, parts)
    return [
        [
            Difference(gap, gap - half, gap + half, chance, abs(gap) > half)
            for gap, half, chance in zip(*rows, strict=True)
        ]
        for rows in zip(gap_MM.tolist(), half_MM.tolist(), chance_MM.tolist(), strict=True)
    ]


@dataclass(frozen=True)
class _Part:
    """One part of the variance of each gap, and the range for its degrees of freedom."""

    variance_MM: np.ndarray
    range: StudentisedRange


def _square(parts: Sequence[_Part], chance_MM: np.ndarray) -> np.ndarray:
    """Return the square of half of each interval that errs with the given chance."""
    # The range is in units of one mean, the variance is that of the difference of two.
    return np.asarray(sum(part.variance_MM * part.range.quantile(chance_MM) ** 2 / 2 for part in parts))


def _chances(square_MM: np.ndarray, parts: Sequence[_Part]) -> np.ndarray:
    """Return the chance at which half of each interval would be just as long as the gap, by bisection."""
    low_MM, high_MM = np.zeros(square_MM.shape), np.ones(square_MM.shape)
    for _ in range(40):
        middle_MM = (low_MM + high_MM) / 2
        longer_MM = _square(parts, middle_MM) > square_MM
        low_MM, high_MM = np.where(longer_MM, middle_MM, low_MM), np.where(longer_MM, high_MM, middle_MM)
    return np.where(square_MM > 0, high_MM, 1.0)


def _seed_variances(spread: Spread) -> tuple[np.ndarray, int]:
    """Return what seeds add to the variance of each model's mean, and how many degrees of freedom tell it."""
    several_M = spread.runs_M > 1
    if not several_M.any():
        return np.zeros(len(several_M)), 0
    common = np.average(spread.whole_M, weights=spread.runs_M - 1)
    beyond_M = np.maximum(0, np.maximum(spread.whole_M, common) - spread.due_M) / spread.runs_M
    return np.where(several_M, beyond_M, 0), int((spread.runs_M - 1).sum())


def _variance(scores_S: np.ndarray) -> float:
    return float(scores_S.var(ddof=1)) if len(scores_S) > 1 else 0.0


def _unbiased(variance_S: np.ndarray) -> float:
    """Return the mean variance of runs about their own mean as that of runs by themselves."""
    runs = len(variance_S)
    return float(variance_S.mean()) * runs / (runs - 1) if runs > 1 else 0.0
