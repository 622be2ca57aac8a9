"""How long the texts of records are, in characters, words or tokens, and which a model would not read to the end."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy

EXAMPLES = 10

# The texts of all records by the name of their side: "source" and "target", or just "text".
Sides = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class LengthSummary:
    """The lengths of one side in one unit, from the middle one to the longest."""

    side: str  # such as "source" or "target"
    unit: str  # "characters", "words" or "tokens"
    median: int
    ninety_percent: int  # so long or shorter are 90 % of the texts
    ninety_nine_percent: int
    longest: int


@dataclass(frozen=True)
class Cut:
    """The pairs with a side that is longer than a model would read."""

    longest: int
    unit: str  # "tokens", or "words" where no tokenizer was given (tokens are more)
    pairs: int
    examples: tuple[str, ...]  # places of the first


@dataclass(frozen=True)
class Measured:
    """The length of every text in one unit, by side."""

    unit: str
    sides: dict[str, list[int]]


def measure(sides: Sides, unit: str, length: Callable[[str], int]) -> Measured:
    """Apply the length function to every text of every side."""
    return Measured(unit, {side: [length(text) for text in texts] for side, texts in sides.items()})


def summarise(measured: Measured) -> tuple[LengthSummary, ...]:
    """Return the percentiles of each side."""
    return tuple(_summary(side, measured.unit, lengths) for side, lengths in measured.sides.items())


def find_cut(places: Sequence[str], measured: Measured, longest: int) -> Cut:
    """Find the records with a side longer than `longest`; `places` are those of all records."""
    sides = zip(places, *measured.sides.values(), strict=True)
    cut = [place for place, *lengths in sides if max(lengths) > longest]
    return Cut(longest, measured.unit, len(cut), tuple(cut[:EXAMPLES]))


def count_words(text: str) -> int:
    """Return how many words white space makes of the text."""
    return len(text.split())


def length_table(rows: Sequence[LengthSummary]) -> list[str]:
    """Return the summaries as lines for a terminal."""
    width = max(18, *(len(_name(row)) + 1 for row in rows))
    head = f"{'':{width}}{'median':>8}{'90 %':>8}{'99 %':>8}{'longest':>9}"
    return [head, *(_length_row(row, width) for row in rows)]


def _name(row: LengthSummary) -> str:
    return f"{row.side} {row.unit}"


def _length_row(row: LengthSummary, width: int) -> str:
    return (
        f"{_name(row):<{width}}{row.median:>8,}{row.ninety_percent:>8,}{row.ninety_nine_percent:>8,}{row.longest:>9,}"
    )


def _summary(side: str, unit: str, lengths: list[int]) -> LengthSummary:
    middle, ninety, ninety_nine, longest = numpy.percentile(lengths, [50, 90, 99, 100], method="inverted_cdf")
    return LengthSummary(side, unit, int(middle), int(ninety), int(ninety_nine), int(longest))
