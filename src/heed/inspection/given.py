"""`Given`: what a reader hands to a worked example instead of the slide's own numbers, read and bounded."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL.Image import Image

from heed.errors import DataError, UsageError
from heed.files.images import read_image
from heed.files.quoting import shortened
from heed.files.whole import read_whole

MOST_TEXTS = 8
LONGEST_TEXT = 400  # characters
MOST_ROWS, MOST_COLUMNS = 12, 12  # of a matrix: more numbers cannot be read on a slide
LARGEST_NUMBER = 1e6
LARGEST_FILE = 100_000  # bytes of a file of numbers
LONGEST_CELL = 40  # characters that an error repeats

Matrix = tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Given:
    """What the reader gave; nothing of it is the slide's own example."""

    texts: tuple[str, ...] = ()
    image: Image | None = None
    matrix: Matrix | None = None


def read_given(texts: Sequence[str] = (), image: Path | None = None, matrix: str | None = None) -> Given:
    """Return what was given, checked; `matrix` is a file, or rows such as "1 2; 3 4"."""
    return Given(
        tuple(_checked_text(text, texts) for text in texts),
        None if image is None else read_image(image),
        None if matrix is None else read_matrix(matrix),
    )


def read_matrix(text: str) -> Matrix:
    """Return the numbers in a file, or in rows such as "1 2; 3 4"; commas, semicolons, tabs or spaces part them."""
    if _is_file_name(text):
        path = Path(text)
        lines = read_whole(path, LARGEST_FILE).split("\n")
        rows = [(f"{path}:{number}", line) for number, line in enumerate(lines, start=1)]
    else:
        rows = [(f"row {number} of the matrix", row) for number, row in enumerate(text.split(";"), start=1)]
    numbers = tuple(_numbers(place, row) for place, row in rows if row.strip())
    _check_shape(numbers, text)
    return numbers


def words_of(text: str, most: int) -> tuple[str, ...]:
    """Return the words of a text, refusing more than a picture can hold."""
    words = tuple(text.split())
    if len(words) > most:
        raise UsageError(f"The text {_short(text)!r} has {len(words)} words; at most {most} are shown. Give fewer.")
    return words


def _checked_text(text: str, texts: Sequence[str]) -> str:
    if len(texts) > MOST_TEXTS:
        raise UsageError(f"{len(texts)} texts were given; at most {MOST_TEXTS} are taken. Give fewer.")
    if not text.strip():
        raise UsageError(f"The text {text!r} is empty. Give at least one word.")
    if len(text) > LONGEST_TEXT:
        raise UsageError(f"A text has {len(text):,} characters; at most {LONGEST_TEXT} are taken: {_short(text)!r}.")
    if not text.isprintable():
        raise UsageError(f"The text {_short(text)!r} holds characters that cannot be printed. Leave them out.")
    return text


def _is_file_name(text: str) -> bool:
    """Tell whether a text names a file of numbers: no row of numbers ends with letters."""
    return text.strip().lower().endswith((".csv", ".tsv", ".txt", ".gz"))


def _numbers(place: str, row: str) -> tuple[float, ...]:
    cells = row.replace(",", " ").replace(";", " ").split()
    if len(cells) > MOST_COLUMNS:
        raise DataError(f"{place} has {len(cells)} numbers; at most {MOST_COLUMNS} are shown. Give fewer columns.")
    return tuple(_number(place, cell) for cell in cells)


def _number(place: str, cell: str) -> float:
    try:
        number = float(cell)
    except ValueError:
        raise DataError(
            f"{place} holds {_short(cell)!r}, which is no number. Write numbers such as 0.5 or -2, or name a .csv file."
        ) from None
    if not math.isfinite(number) or abs(number) > LARGEST_NUMBER:
        raise DataError(
            f"{place} holds {_short(cell)}. Write numbers from {-LARGEST_NUMBER:,.0f} to {LARGEST_NUMBER:,.0f}."
        )
    return number


def _check_shape(rows: Matrix, text: str) -> None:
    if not any(rows):
        raise DataError(f"The matrix {_short(text)!r} holds no number. Give rows such as '1 2; 3 4'.")
    if len(rows) > MOST_ROWS:
        raise DataError(f"The matrix has {len(rows)} rows; at most {MOST_ROWS} are shown. Give fewer.")
    lengths = sorted({len(row) for row in rows})
    if len(lengths) > 1:
        raise DataError(
            f"The rows of the matrix have {' and '.join(map(str, lengths))} numbers. Give every row equally many."
        )


def _short(text: str) -> str:
    return shortened(text, LONGEST_CELL)
