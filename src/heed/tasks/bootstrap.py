"""The bootstrap: how a score would vary over other test examples of the same kind, seen by drawing from those at hand.

An interval reaches from the 2.5th to the 97.5th percentile of the score over examples drawn with replacement, as many
as there are (Efron and Tibshirani 1993, chapter 13).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

RESAMPLES = 1000
SEED = 12345
LEVEL = 0.95

# Numbers held at once while examples are drawn: 16 MB.
_HELD = 2**21


@dataclass(frozen=True, slots=True)
class BootstrapInterval:
    """Where a score would lie, with the given probability, for other test examples of the same kind."""

    low: float
    high: float
    level: float
    resamples: int
    seed: int


def percentile_interval(scores_R: np.ndarray, seed: int, level: float = LEVEL) -> BootstrapInterval:
    """Return the interval from the scores of all resamples."""
    low, high = np.quantile(scores_R, [(1 - level) / 2, (1 + level) / 2])
    return BootstrapInterval(float(low), float(high), level, len(scores_R), seed)


def draw_counts(examples: int, resamples: int, seed: int) -> Iterator[np.ndarray]:
    """Yield how often each example was drawn, (r, N), a few resamples at a time."""
    generator = np.random.default_rng(seed)
    at_once = max(1, _HELD // examples)
    for start in range(0, resamples, at_once):
        rows = min(at_once, resamples - start)
        drawn = generator.integers(examples, size=(rows, examples))
        drawn += np.arange(rows)[:, None] * examples  # each resample counts in a stretch of its own
        yield np.bincount(drawn.ravel(), minlength=rows * examples).reshape(rows, examples)
