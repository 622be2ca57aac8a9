"""Labels that are numbers: their range, their middle and how they are spread."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy

from heed.data.labelled_splits import LabelledSplits
from heed.data.labels import numbers_of
from heed.data.records import LabelledText

BINS = 10
BAR = 40  # characters of the longest bar in a terminal


@dataclass(frozen=True)
class NumberBin:
    """How many numbers lie from `low` up to `high` (in the last bin, `high` itself as well)."""

    low: float
    high: float
    count: int


@dataclass(frozen=True)
class NumberSummary:
    """The numbers of train, and how many of valid and test lie beyond them."""

    lowest: float
    highest: float
    mean: float
    deviation: float
    bins: tuple[NumberBin, ...]
    beyond: int  # numbers of valid and test that are lower or higher than all of train
    beyond_places: tuple[str, ...]  # of the first of them


def summarise_numbers(splits: LabelledSplits) -> NumberSummary:
    """Return how the numbers of train are spread."""
    numbers = numpy.asarray(numbers_of(splits.train), dtype=numpy.float64)
    counts, edges = numpy.histogram(numbers, BINS)
    beyond = _beyond([*splits.valid, *splits.test], float(numbers.min()), float(numbers.max()))
    return NumberSummary(
        lowest=float(numbers.min()),
        highest=float(numbers.max()),
        mean=float(numbers.mean()),
        deviation=float(numbers.std()),
        bins=tuple(
            NumberBin(float(low), float(high), int(count))
            for low, high, count in zip(edges[:-1], edges[1:], counts, strict=True)
        ),
        beyond=len(beyond),
        beyond_places=tuple(beyond[:10]),
    )


def number_table(summary: NumberSummary) -> list[str]:
    """Return the numbers as lines for a terminal."""
    most = max(each.count for each in summary.bins)
    head = (
        f"labels are numbers from {summary.lowest:g} to {summary.highest:g}, "
        f"mean {summary.mean:.3g}, deviation {summary.deviation:.3g}"
    )
    rows = (
        f"{each.low:>10.4g} – {each.high:<10.4g}{each.count:>9,}  {'#' * (BAR * each.count // most)}"
        for each in summary.bins
    )
    return [head, *(row.rstrip() for row in rows)]


def _beyond(records: Sequence[LabelledText], lowest: float, highest: float) -> list[str]:
    numbers = numbers_of(records)
    return [record.place for record, number in zip(records, numbers, strict=True) if not lowest <= number <= highest]
