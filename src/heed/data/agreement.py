"""Whether the two sides of the pairs agree in length, as they do where line n of one belongs to line n of the other."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from heed.data.records import TextPair
from heed.files.quoting import quote

EXAMPLES = 10
SHOWN = 80  # characters of a text in a report
BLOCK = 200  # pairs over which the agreement is measured; by chance alone it stays within 0.2 of 0
AGREES, DISAGREES = 0.6, 0.3

Floats = NDArray[numpy.float64]


@dataclass(frozen=True)
class Suspect:
    """A pair whose lengths fit so badly that it is probably not a pair."""

    place: str
    source: str  # cut for showing
    target: str
    ratio: float  # target characters for each source character


@dataclass(frozen=True)
class Agreement:
    """Whether longer sources have longer targets, as they do where line n belongs to line n."""

    suspects: int
    examples: tuple[Suspect, ...]  # the worst first
    correlation: float | None  # of the logarithms of the lengths; None for few pairs, or all of one length
    shifted_from: str | None  # place of the first block of pairs whose lengths do not agree although most blocks do


def measure_agreement(pairs: Sequence[TextPair]) -> Agreement:
    """Find pairs of odd length ratio, and stretches where the two sides seem to be shifted against each other."""
    # A few characters more on both sides: "Go." and "Va !" would otherwise be as odd as a page against a paragraph.
    source = numpy.log([len(pair.source) + 5 for pair in pairs])
    target = numpy.log([len(pair.target) + 5 for pair in pairs])
    odd, order = _outliers(target - source)
    blocks = [_correlation(source[at : at + BLOCK], target[at : at + BLOCK]) for at in range(0, len(pairs), BLOCK)]
    return Agreement(
        suspects=odd,
        examples=tuple(_suspect(pairs[index]) for index in order[: min(odd, EXAMPLES)]),
        correlation=_correlation(source, target),
        shifted_from=_first_disagreeing(pairs, blocks),
    )


def _outliers(logarithms: Floats) -> tuple[int, list[int]]:
    away = numpy.abs(logarithms - numpy.median(logarithms))
    # 1.4826 makes the median deviation of normal data a standard deviation. It may be 0 (copying, reversing): then
    # a tenth counts as ordinary.
    deviation = max(1.4826 * float(numpy.median(away)), 0.1)
    return int((away > 3 * deviation).sum()), numpy.argsort(-away, kind="stable").tolist()


def _correlation(source: Floats, target: Floats) -> float | None:
    if len(source) < BLOCK // 2 or source.std() < 0.05 or target.std() < 0.05:
        return None
    return round(float(numpy.corrcoef(source, target)[0, 1]), 3)


def _first_disagreeing(pairs: Sequence[TextPair], blocks: Sequence[float | None]) -> str | None:
    known = [block for block in blocks if block is not None]
    if not known or numpy.median(known) < AGREES:
        return None
    low = (at for at, block in enumerate(blocks) if block is not None and block < DISAGREES)
    return next((pairs[at * BLOCK].place for at in low), None)


def _suspect(pair: TextPair) -> Suspect:
    ratio = round(len(pair.target) / max(1, len(pair.source)), 2)
    return Suspect(pair.place, quote(pair.source, SHOWN), quote(pair.target, SHOWN), ratio)
