"""`read_similarities`: pairs of words and how alike people find them, as in WordSim-353 and SimLex-999.

A line holds two words and a number, parted by tabs, or by commas in a file that ends in `.csv`. Lines that begin with
"#" are remarks. The first other line may be a header: then its third field is no number.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from heed.errors import DataError
from heed.files.lines import Line, read_lines
from heed.files.opening import inner_suffix
from heed.files.quoting import quote

MOST_PAIRS = 1_000_000


@dataclass(frozen=True, slots=True)
class WordPair:
    """Two words and the mean of what people said of their likeness; the scale is the file's own."""

    first: str
    second: str
    score: float


def read_similarities(path: Path) -> tuple[WordPair, ...]:
    """Return the pairs of the file in order; words stay as they are spelt."""
    pairs = []
    for number, (line, fields) in enumerate(_rows(path)):
        score = _number(fields[2])
        if score is not None:
            pairs.append(WordPair(fields[0], fields[1], score))
        elif number > 0:
            raise DataError(
                f"{path}:{line.number}: {quote(fields[2])} is no finite number. Correct or remove the line."
            )
        if len(pairs) > MOST_PAIRS:
            raise DataError(f"{path} holds more than {MOST_PAIRS:,} pairs. Give a part of them.")
    if not pairs:
        raise DataError(f"{path} holds no pairs. Give a file with two words and a number a line, parted by tabs.")
    return tuple(pairs)


def _rows(path: Path) -> Iterator[tuple[Line, list[str]]]:
    separator = "," if inner_suffix(path) == ".csv" else "\t"
    for line in read_lines(path):
        if not line.text.strip() or line.text.startswith("#"):
            continue
        fields = [field.strip() for field in line.text.split(separator)]
        if len(fields) != 3 or not all(fields):
            parted = "commas" if separator == "," else "tabs"
            raise DataError(
                f"{path}:{line.number}: {len(fields)} field(s) instead of two words and a number, parted by {parted}: "
                f"{quote(line.text)}. Correct or remove the line."
            )
        yield line, fields


def _number(field: str) -> float | None:
    try:
        value = float(field)
    except ValueError:
        return None
    return value if math.isfinite(value) and "_" not in field else None
