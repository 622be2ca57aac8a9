"""What several files, read one by one, have together: the words that named them, and what was left out."""

from collections.abc import Sequence
from typing import Protocol

FIRST_PLACES = 10  # places of empty records that are kept for a report


class ReadFile(Protocol):
    """A file that was read: how many records were left out, where, and which columns were taken."""

    @property
    def empty(self) -> int:
        """Return how many records were left out because something in them was empty."""

    @property
    def empty_places(self) -> tuple[str, ...]:
        """Return "path:line" of the first of them."""

    @property
    def columns(self) -> str:
        """Return which columns, or which files, were taken."""


def origin_of(*words: Sequence[str]) -> str:
    """Return the names of all files as one text."""
    return "; ".join(" + ".join(each) for each in words if each)


def count_empty(files: Sequence[ReadFile]) -> int:
    """Return how many records were left out in all files."""
    return sum(file.empty for file in files)


def first_empty(files: Sequence[ReadFile]) -> tuple[str, ...]:
    """Return the places of the first records that were left out."""
    return tuple(place for file in files for place in file.empty_places)[:FIRST_PLACES]


def note_of(files: Sequence[ReadFile], split: str, what: str) -> str:
    """Return the sentences on columns, split and what was left out; `what` names the records that were."""
    empty = count_empty(files)
    left_out = f"Left out {empty:,} {what}, the first at {first_empty(files)[0]}." if empty else ""
    return " ".join(filter(None, [*(f"Read {file.columns}." for file in files), split, left_out]))
