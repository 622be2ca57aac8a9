"""The text format of word vectors, as word2vec, GloVe and fastText write it, one word a line.

    400000 300                          word2vec and fastText: how many words, how many numbers; GloVe has no such line
    the 0.0418 0.2497 -0.4124 ...
    . . . -0.1573 0.2950 0.3012 ...     a word may have spaces in it, so the numbers are counted from the right

Every line must have the right number of fields; whether they are numbers is only seen when they are parsed.
"""

import itertools
import math
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from heed.errors import DataError
from heed.files.lines import Line, read_lines
from heed.files.quoting import quote


@dataclass(frozen=True, slots=True)
class VectorLine:
    """One word of the file, and its numbers as they are written."""

    number: int  # of the line, from 1
    word: str
    numbers: str


@dataclass(frozen=True)
class VectorStream:
    """A file of vectors, opened: how many numbers a word has, and the lines, which come once."""

    width: int
    lines: Iterator[VectorLine]


def open_vectors(path: Path) -> VectorStream:
    """Open a file of vectors; the lines raise DataError at the first that does not fit, and at a broken promise."""
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
    if promised is None:
        return VectorStream(width, _cut_all(path, itertools.chain([first], lines), width))
    return VectorStream(width, _as_promised(path, first.number, promised, _cut_all(path, lines, width)))


def parse_numbers(path: Path, line: VectorLine) -> NDArray[np.float32]:
    """Return the vector of a line, or raise DataError at what is no finite number."""
    fields = line.numbers.split(" ")
    try:
        values = [float(field) for field in fields]
    except ValueError:
        values = [math.nan]
    # Python reads 1_0 as 10, which no tool writes.
    with np.errstate(over="ignore"):
        vector = np.array(values, dtype=np.float32)
    if "_" in line.numbers or not np.isfinite(vector).all():
        _refuse_number(path, line.number, fields)
    return vector


def _as_promised(path: Path, first: int, promised: int, lines: Iterator[VectorLine]) -> Iterator[VectorLine]:
    words = 0
    for line in lines:
        words += 1
        yield line
    if words != promised:
        raise DataError(
            f"{path} promises {promised:,} words in line {first} and holds {words:,}. "
            f"It seems to be cut off or put together: fetch or write it again."
        )


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


def _cut_all(path: Path, lines: Iterable[Line], width: int) -> Iterator[VectorLine]:
    return (_cut(path, line, width) for line in lines)


def _cut(path: Path, line: Line, width: int) -> VectorLine:
    """Return the word of a line apart from its numbers; almost every word has no space, which is quick to see."""
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
    return VectorLine(line.number, unicodedata.normalize("NFC", word), numbers)


def _refuse_width(path: Path, line: Line, width: int) -> NoReturn:
    count = line.text.count(" ")
    raise DataError(
        f"{path}:{line.number}: {count} number(s) after the word, but by its first line the file has {width}: "
        f"{quote(line.text)}. Correct or remove the line; numbers are parted by one space."
    )


def _refuse_number(path: Path, line: int, fields: list[str]) -> NoReturn:
    at, field = next((at, field) for at, field in enumerate(fields, start=1) if not _is_number(field))
    raise DataError(
        f"{path}:{line}: number {at} of {len(fields)} is {quote(field)}, which is no finite number. "
        f"Correct or remove the line."
    )


def _is_number(field: str) -> bool:
    """Tell whether a field is a finite number of single precision."""
    try:
        value = float(field)
    except ValueError:
        return False
    return "_" not in field and abs(value) <= float(np.finfo(np.float32).max)
