"""`read_vectors`: the vectors of some words from a file of vectors; `read_all_vectors`: those of all, or of the first.

The file is streamed. Of some words only those are kept: a file of gigabytes takes the memory of a vocabulary, and the
numbers of a word that nobody wants are not read. For all words the lines are counted first, so that a table too large
for the memory is refused before any of it is made.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from heed.errors import DataError, UsageError
from heed.files.vector_lines import VectorLine, open_vectors, parse_numbers

LARGEST_TABLE = 4_000_000_000  # bytes of vectors that are read whole
WORD_BYTES = 150  # that a word takes beside its vector


@dataclass(frozen=True, eq=False)
class Vectors:
    """The vectors of the words that were wanted and found."""

    rows: dict[str, int]  # where in the table each word stands
    table: NDArray[np.float32]  # (words found, width)
    words: int  # in the whole file, or in the part that was read
    repeated: int  # lines left out because their wanted word had come before


def read_vectors(path: Path, wanted: Collection[str]) -> Vectors:
    """Return the vectors of the wanted words; a word that comes twice keeps its first vector, and is counted."""
    stream, wanted = open_vectors(path), frozenset(wanted)
    found: dict[str, NDArray[np.float32]] = {}
    words = repeated = 0
    for line in stream.lines:
        words += 1
        if line.word in found:
            repeated += 1
        elif line.word in wanted:
            found[line.word] = parse_numbers(path, line)
    table = np.stack(list(found.values())) if found else np.zeros((0, stream.width), np.float32)
    return Vectors({word: row for row, word in enumerate(found)}, table, words, repeated)


def read_all_vectors(path: Path, most_words: int | None = None, largest: int = LARGEST_TABLE) -> Vectors:
    """Return the vectors of all words, or of the first `most_words`, in the order of the file.

    A table of more than `largest` bytes is refused. A word that comes twice keeps its first vector, and is counted.
    """
    if most_words is not None and most_words < 1:
        raise UsageError(f"The number of vectors to read is {most_words}. Use 1 or more.")
    stream = open_vectors(path)
    words = sum(1 for _ in islice(stream.lines, most_words))
    _check_size(path, words, stream.width, largest)
    table_VD = np.empty((words, stream.width), np.float32)
    rows: dict[str, int] = {}
    for line in _first_lines(path, words):
        if line.word not in rows:
            table_VD[len(rows)] = parse_numbers(path, line)
            rows[line.word] = len(rows)
    return Vectors(rows, table_VD[: len(rows)], words, words - len(rows))


def _first_lines(path: Path, count: int) -> Iterator[VectorLine]:
    return islice(open_vectors(path).lines, count)


def _check_size(path: Path, words: int, width: int, largest: int) -> None:
    needed = words * (width * 4 + WORD_BYTES)
    if needed > largest:
        fitting = max(1, largest // (width * 4 + WORD_BYTES))
        raise DataError(
            f"{path} holds {words:,} vectors of {width:,} numbers, which take {needed / 1e9:.1f} GB of memory; "
            f"{largest / 1e9:.1f} GB are allowed. Read only the first {fitting:,}, the most frequent in most files."
        )
