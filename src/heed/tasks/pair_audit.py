"""`audit_pairs`: how well pairs are told apart without reading them, by rules that should know nothing.

A rule looks at one thing only, such as the last token of the second text. It answers what was more frequent with that
thing in one half of the pairs, and is scored on the other half; then the halves change places. A rule that knows
nothing scores 50 %, less or more by chance: about 1 % for 4,000 pairs.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from heed.tasks.sentence_pairs import Pair

Integers = NDArray[numpy.int64]
Truths = NDArray[numpy.bool_]

BUCKETS = 16  # of like lengths: a rule may answer differently for each


@dataclass(frozen=True)
class PairAudit:
    """Pairs as an epoch draws them, and the accuracy of rules that do not read them."""

    pairs: int
    follows: float  # share of the pairs whose second text goes on
    by_length: float  # the best of three rules: the length of the first text, of the second, of both
    by_first_token: float  # of the second text
    by_last_token: float


def audit_pairs(pairs: Sequence[Pair], halves: Truths) -> PairAudit | None:
    """Return the audit of the pairs that have a label; None if one of the two halves has none of these."""
    labelled = numpy.asarray([pair.follows is not None for pair in pairs], dtype=bool)
    half = halves[labelled]
    if half.all() or not half.any():
        return None
    chosen = [pair for pair in pairs if pair.follows is not None]
    follows = numpy.asarray([bool(pair.follows) for pair in chosen])
    first, second = (numpy.asarray([len(text) for text in texts]) for texts in _sides(chosen))
    return PairAudit(
        pairs=len(chosen),
        follows=float(follows.mean()),
        by_length=max(_accuracy(_bucket(each), follows, half) for each in (first, second, first + second)),
        by_first_token=_accuracy(numpy.asarray([pair.second[0] for pair in chosen]), follows, half),
        by_last_token=_accuracy(numpy.asarray([pair.second[-1] for pair in chosen]), follows, half),
    )


def _sides(pairs: Sequence[Pair]) -> tuple[list[Integers], list[Integers]]:
    return [pair.first for pair in pairs], [pair.second for pair in pairs]


def _bucket(lengths: Integers) -> Integers:
    return numpy.searchsorted(numpy.quantile(lengths, numpy.arange(1, BUCKETS) / BUCKETS), lengths)


def _accuracy(values: Integers, follows: Truths, half: Truths) -> float:
    """Return how often a rule is right on pairs that it was not made from."""
    _, kinds = numpy.unique(values, return_inverse=True)
    right = numpy.zeros(len(kinds), dtype=bool)
    for fitted in (half, ~half):
        usual = follows[fitted].mean() > 0.5
        lean = numpy.bincount(kinds[fitted], weights=numpy.where(follows[fitted], 1.0, -1.0), minlength=kinds.max() + 1)
        guess = numpy.where(lean == 0, usual, lean > 0)[kinds]
        right[~fitted] = (guess == follows)[~fitted]
    return float(right.mean())
