"""`read_vectors`: word vectors from a text file as word2vec, GloVe or fastText write it, one word a line.

    400000 300                          word2vec and fastText: how many words, how many numbers; GloVe has no such line
    the 0.0418 0.2497 -0.4124 ...
    . . . -0.1573 0.2950 0.3012 ...     a word may have spaces in it, so the numbers are counted from the right

The file is streamed and only the wanted words are kept: a file of gigabytes takes the memory of a vocabulary. Every
line must have the right number of fields, but the numbers of a word that nobody wants are not read.
"""

import itertools
import math
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from heed.errors import DataError
from heed.files.lines import Line, read_lines
from heed.files.quoting import quote


@dataclass(frozen=True, eq=False)
class Vectors:
    """The vectors of the words that were wanted and found."""

    rows: dict[str, int]  # where in the table each word stands
    table: NDArray[np.float32]  # (words found, width)
    words: int  # in the whole file
    repeated: int  # lines left out because their wanted word had come before


def read_vectors(path: Path, wanted: Collection[str]) -> Vectors:
    """Return the vectors of the wanted words; a word that comes twice keeps its first vector, and is counted."""
    if path.suffix.lower() == ".bin":
        raise DataError(
            f"{path} ends in .bin: vectors in binary form are not read. Save them as text, "
            f"for example with gensim: vectors.save_word2vec_format('vectors.txt', binary=False)."
        )
    lines = _filled_lines(path)
    first = next(lines, None)
    if first is None:
        raise DataError(f"{path} holds no vectors. Give a file with a word and its numbers on each line.")
    promised, width = _shape(path, first)
    words = itertools.chain([first] if promised is None else [], lines)
    vectors = _collect(path, words, width, frozenset(wanted))
    if promised is not None and vectors.words != promised:
        raise DataError(
            f"{path} promises {promised:,} words in line {first.number} and holds {vectors.words:,}. "
            f"It seems to be cut off or put together: fetch or write it again."
        )
    return vectors


def _collect(path: Path, lines: Iterable[Line], width: int, wanted: frozenset[str]) -> Vectors:
    found: dict[str, NDArray[np.float32]] = {}
    words = repeated = 0
    for line in lines:
        words += 1
        word, numbers = _cut(path, line, width)
        if word in found:
            repeated += 1
        elif word in wanted:
            found[word] = _parse(path, line, numbers)
    table = np.stack(list(found.values())) if found else np.zeros((0, width), np.float32)
    return Vectors({word: row for row, word in enumerate(found)}, table, words, repeated)


def _filled_lines(path: Path) -> Iterator[Line]:
    """Yield the lines that are not blank; word2vec leaves a space at the end of each."""
    for line in read_lines(path):
        text = line.text.rstrip(" ")
        if text:
            yield Line(line.number, text)


def _shape(path: Path, first: Line) -> tuple[int | None, int]:
    """Return how many words the first line promises, if it is no word's, and how many numbers a word has."""
    fields = first.text.split(" ")
    if len(fields) == 2 and all(re.fullmatch(r"[0-9]{1,12}", field) for field in fields):
        words, width = (int(field) for field in fields)
        if width:
            return words, width
    if len(fields) < 2:
        raise DataError(
            f"{path}:{first.number}: no numbers after the word {quote(first.text)}. "
            f"A line is a word and its numbers, with one space between them."
        )
    return None, len(fields) - 1


def _cut(path: Path, line: Line, width: int) -> tuple[str, str]:
    """Return the word of a line and the text of its numbers; almost every word has no space, which is quick to see."""
    spaces = line.text.count(" ")
    if spaces == width:
        word, _, numbers = line.text.partition(" ")
    else:
        parts = line.text.rsplit(" ", width)
        word, numbers = parts[0], line.text[len(parts[0]) + 1 :]
        # Another number at the end of the "word" is no word with a space, but a line with too many numbers.
        if spaces < width or _is_number(word.rpartition(" ")[2]):
            _refuse_width(path, line, width)
    # As the pieces of a vocabulary are: otherwise "é" in two characters would never be found.
    return unicodedata.normalize("NFC", word), numbers


def _refuse_width(path: Path, line: Line, width: int) -> NoReturn:
    count = line.text.count(" ")
    raise DataError(
        f"{path}:{line.number}: {count} number(s) after the word, but by its first line the file has {width}: "
        f"{quote(line.text)}. Correct or remove the line; numbers are parted by one space."
    )


def _parse(path: Path, line: Line, numbers: str) -> NDArray[np.float32]:
    fields = numbers.split(" ")
    try:
        values = [float(field) for field in fields]
    except ValueError:
        values = [math.nan]
    # Python reads 1_0 as 10, which no tool writes.
    with np.errstate(over="ignore"):
        vector = np.array(values, dtype=np.float32)
    if "_" in numbers or not np.isfinite(vector).all():
        _refuse_number(path, line, fields)
    return vector


def _refuse_number(path: Path, line: Line, fields: list[str]) -> NoReturn:
    at, field = next((at, field) for at, field in enumerate(fields, start=1) if not _is_number(field))
    raise DataError(
        f"{path}:{line.number}: number {at} of {len(fields)} is {quote(field)}, which is no finite number. "
        f"Correct or remove the line."
    )


def _is_number(field: str) -> bool:
    """Tell whether a field is a finite number of single precision."""
    try:
        value = float(field)
    except ValueError:
        return False
    return "_" not in field and abs(value) <= float(np.finfo(np.float32).max)
