"""Is one model better than another, or was it chance? Intervals over seeds, and differences over seeds and texts.

A score would be different with other test texts and with other seeds, so a difference must stand out from both. Texts
are drawn with replacement, the same ones for both models, as both met the same easy and hard ones. Two to five seeds
are too few to draw from (in simulations up to twice too many differences seemed real); instead the draws are spread
wider by as much as the runs of a model differ beyond what the texts bring about. A run that was lucky with some texts
is in the draws already, and would count twice. With one run of a model nothing is known of its seeds: then it is this
run that is compared.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special  # type: ignore[import-untyped]

from heed.tasks.bootstrap import LEVEL, SEED, draw_counts

RESAMPLES = 2000
SCORE_RESAMPLES = 1000  # where each resample is scored by itself, which takes longer


@dataclass(frozen=True, slots=True)
class Interval:
    """The mean over seeds, and where the mean over ever more seeds would lie; no bounds from a single seed."""

    mean: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean of one model less that of the other, its 95 % interval, and whether it is more than chance."""

    mean: float
    low: float
    high: float
    p_value: float  # of a difference at least so large, either way, if there were none
    real: bool  # p_value is below 0.05


def interval_over_seeds(values: Sequence[float], level: float = LEVEL) -> Interval:
    """Return the mean and its interval by Student's t."""
    mean = float(np.mean(values))
    if len(values) < 2:
        return Interval(mean, None, None)
    quantile = special.stdtrit(len(values) - 1, (1 + level) / 2)
    half_width = float(quantile * np.std(values, ddof=1) / math.sqrt(len(values)))
    return Interval(mean, mean - half_width, mean + half_width)


def paired_difference(
    first_SN: np.ndarray, second_SN: np.ndarray, resamples: int = RESAMPLES, seed: int = SEED
) -> Difference:
    """Return the difference of two models in the mean over texts of what each run gave: right or not, or an error.

    A row is a run with its own seed, a column a text; a model may have more runs than the other.
    """
    first_SN, second_SN = np.asarray(first_SN, np.float64), np.asarray(second_SN, np.float64)
    runs_SN = np.concatenate([first_SN, second_SN])
    texts = runs_SN.shape[1]
    drawn_RS = np.concatenate([counts @ runs_SN.T / texts for counts in draw_counts(texts, resamples, seed)])
    return _difference(runs_SN.mean(axis=1), drawn_RS, len(first_SN), texts)


def paired_score_difference(
    first_SNK: np.ndarray,
    second_SNK: np.ndarray,
    score: Callable[[np.ndarray], float],
    resamples: int = SCORE_RESAMPLES,
    seed: int = SEED,
) -> Difference:
    """Return the difference of two models in a score that is no mean over texts, such as BLEU or a correlation.

    `score` is given the K numbers of each text that one run is scored by: (N, K).
    """
    runs_SNK = np.concatenate([first_SNK, second_SNK])
    generator = np.random.default_rng(seed)
    texts = runs_SNK.shape[1]
    drawn = []
    for _ in range(resamples):
        chosen = generator.integers(texts, size=texts)
        drawn.append([score(run_NK[chosen]) for run_NK in runs_SNK])
    observed = np.array([score(run_NK) for run_NK in runs_SNK])
    return _difference(observed, np.array(drawn), len(first_SNK), texts)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values corrected for their number: all below 0.05 are real at once, 95 times in 100 (Holm 1979)."""
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda place: p_values[place])):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = largest
    return corrected


def _difference(observed_S: np.ndarray, drawn_RS: np.ndarray, firsts: int, texts: int) -> Difference:
    """Return the difference from the scores of all runs, as they are and in each resample of texts."""
    observed, drawn = np.split(observed_S, [firsts]), np.split(drawn_RS, [firsts], axis=1)
    mean = float(observed[0].mean() - observed[1].mean())
    differences_R = drawn[0].mean(axis=1) - drawn[1].mean(axis=1)
    spreads = [_seed_spread(*side) for side in zip(observed, drawn, strict=True) if len(side[0]) > 1]
    differences_R = mean + (differences_R - mean) * _widening(float(differences_R.var()), texts, spreads)
    low, high = np.quantile(differences_R, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    p_value = _p_value(differences_R)
    return Difference(mean, float(low), float(high), p_value, p_value < 1 - LEVEL)


@dataclass(frozen=True, slots=True)
class _SeedSpread:
    """Variances of the mean over the runs of a model."""

    whole: float
    beyond_texts: float
    runs: int


def _seed_spread(observed_S: np.ndarray, drawn_RS: np.ndarray) -> _SeedSpread:
    """Return how far the runs of a model are apart, and how much of that is not due to single texts."""
    runs = len(observed_S)
    apart_RS = drawn_RS - drawn_RS.mean(axis=1, keepdims=True)
    due_to_texts = float(apart_RS.var(axis=0).mean()) * runs / (runs - 1)
    whole = float(observed_S.var(ddof=1))
    return _SeedSpread(whole / runs, max(0.0, whole - due_to_texts) / runs, runs)


def _widening(by_texts: float, texts: int, spreads: Sequence[_SeedSpread]) -> float:
    """Return by what the draws must be multiplied so that their ends leave room for the luck of seeds too.

    Variances add up. Few seeds tell theirs badly, for which Student's t makes up, with degrees of freedom by
    Satterthwaite (1946): never fewer than those of the part that has fewest.
    """
    if by_texts == 0:
        return 1.0
    total = by_texts + sum(spread.beyond_texts for spread in spreads)
    doubt = by_texts**2 / (texts - 1) + sum(spread.whole**2 / (spread.runs - 1) for spread in spreads)
    degrees = max(total**2 / doubt, min([texts, *(spread.runs for spread in spreads)]) - 1)
    end = (1 + LEVEL) / 2
    return math.sqrt(total / by_texts) * float(special.stdtrit(degrees, end) / special.ndtri(end))


def _p_value(differences_R: np.ndarray) -> float:
    """Return the share of resamples that fall on the other side of 0, doubled; the data itself counts as one more."""
    other_side = min(int((differences_R <= 0).sum()), int((differences_R >= 0).sum()))
    return min(1.0, 2 * (other_side + 1) / (len(differences_R) + 1))
