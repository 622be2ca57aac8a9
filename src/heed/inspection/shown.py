"""`Shown`: a slide's worked example as values: what is said, the tables, what a deck has wrong, what is to be drawn."""

from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from heed.inspection.drawing import shown_png
from heed.inspection.panels import Panel

Cell = float | int | str | None  # None: hidden by a mask


@dataclass(frozen=True)
class Note:
    """A few sentences."""

    heading: str
    text: str


@dataclass(frozen=True)
class Table:
    """Numbers with names over the columns and before the rows."""

    heading: str
    columns: tuple[str, ...]
    names: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]
    decimals: int = 4  # of the floats; whole numbers are written as such

    def __post_init__(self) -> None:
        assert len(self.names) == len(self.cells), self.heading
        assert all(len(row) == len(self.columns) for row in self.cells), self.heading


Part = Note | Table


@dataclass(frozen=True)
class Shown:
    """All that is to be seen of one topic."""

    topic: str
    title: str
    shows: str  # in a sentence
    parts: tuple[Part, ...]
    corrections: tuple[str, ...]  # what a deck has wrong, and what is right
    panels: tuple[Panel, ...]

    def _repr_png_(self) -> bytes:
        """Return the picture, as a notebook shows it."""
        return shown_png(self)


def numbers_of(values_RC: Tensor) -> tuple[tuple[float, ...], ...]:
    """Return a matrix as plain numbers."""
    return tuple(tuple(row) for row in values_RC.detach().tolist())


def table_of(heading: str, values_RC: Tensor, names: Sequence[str], columns: Sequence[str], decimals: int = 4) -> Table:
    """Return a matrix as a table."""
    return Table(heading, tuple(columns), tuple(names), numbers_of(values_RC), decimals)


def numbered(name: str, count: int) -> tuple[str, ...]:
    """Return a name with 1, 2, 3, ... behind it."""
    return tuple(f"{name}{number}" for number in range(1, count + 1))
