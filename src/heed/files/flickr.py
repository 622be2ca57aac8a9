"""The text files of Flickr8k: `read_tokens` for its captions, `read_names` for the pictures of one side.

A line of captions is the picture, a number and the caption: "1000268201_693b08cb0e.jpg#0", a tab, "A child … .".
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from heed.errors import DataError
from heed.files.lines import read_lines
from heed.files.quoting import quote


@dataclass(frozen=True, slots=True)
class Token:
    """One caption: the line on which it stands, the picture that it is of, and its text as written."""

    number: int
    name: str
    caption: str


@dataclass(frozen=True, slots=True)
class Name:
    """The name of one picture, and where it stands."""

    place: str  # "path:line"
    text: str


def read_tokens(path: Path) -> Iterator[Token]:
    """Yield the captions of a token file, blank lines left out; raise DataError at the first line of another form."""
    for line in read_lines(path):
        if line.text.strip():
            head, tab, caption = line.text.partition("\t")
            name, mark, number = head.strip().rpartition("#")
            if not (tab and mark and name and number.isascii() and number.isdigit()):
                raise DataError(_no_token(path, line.number, line.text))
            yield Token(line.number, name, caption)


def read_names(path: Path) -> Iterator[Name]:
    """Yield the names that a file holds, one on each line, blank lines left out."""
    for line in read_lines(path):
        if line.text.strip():
            yield Name(f"{path}:{line.number}", line.text.strip())


def _no_token(path: Path, number: int, text: str) -> str:
    hint = " If it is a table, end its name in .csv or .tsv." if number == 1 else ""
    return (
        f"{path}:{number}: {quote(text)} is no caption as Flickr8k has them. A line is the name of the picture, # and "
        f"a number, a tab, and the caption.{hint}"
    )
