"""A worked example as lines for a terminal: headings, tables in columns, sentences."""

import textwrap
from collections.abc import Iterator, Sequence
from typing import assert_never

from rich.cells import cell_len

from heed.files.quoting import shortened
from heed.inspection.shown import Cell, Note, Shown, Table

WIDEST = 100  # columns of a terminal
LONGEST_NAME = 46  # of a row
GAP = 2  # columns between two columns of a table


def lines_of(shown: Shown) -> Iterator[str]:
    """Yield all that is said, without the pictures."""
    yield shown.title
    yield "=" * len(shown.title)
    yield from textwrap.wrap(shown.shows, WIDEST)
    for part in shown.parts:
        yield ""
        match part:
            case Note():
                yield from _note(part)
            case Table():
                yield from _table(part)
            case _:
                assert_never(part)
    if shown.corrections:
        yield ""
        yield "Where a deck is wrong"
        for correction in shown.corrections:
            yield from textwrap.wrap(correction, WIDEST, initial_indent="- ", subsequent_indent="  ")


def _note(note: Note) -> Iterator[str]:
    yield note.heading
    # What has lines of its own is drawn with characters, and keeps them.
    yield from note.text.split("\n") if "\n" in note.text else textwrap.wrap(note.text, WIDEST)


def _table(table: Table) -> Iterator[str]:
    yield from textwrap.wrap(table.heading, WIDEST)
    names = [shortened(name, LONGEST_NAME) for name in table.names]
    columns = [
        _aligned([title, *(_written(row[place], table) for row in table.cells)], _is_text(table, place))
        for place, title in enumerate(table.columns)
    ]
    before = _aligned(["", *names], left=True)
    fitting = _fitting(cell_len(before[0]), [cell_len(column[0]) for column in columns])
    for cells in zip(before, *columns[:fitting], strict=True):
        yield (" " * GAP + (" " * GAP).join(cells)).rstrip()
    if fitting < len(columns):
        yield f"  … and {len(columns) - fitting} more columns (all with --json)"


def _fitting(taken: int, widths: Sequence[int]) -> int:
    """Return how many columns there is room for."""
    taken += GAP
    for count, width in enumerate(widths):
        taken += GAP + width
        if taken > WIDEST:
            return count
    return len(widths)


def _aligned(cells: Sequence[str], left: bool) -> list[str]:
    """Return the cells of one column, equally wide."""
    width = max(map(cell_len, cells))
    return [cell + " " * (width - cell_len(cell)) if left else " " * (width - cell_len(cell)) + cell for cell in cells]


def _is_text(table: Table, place: int) -> bool:
    return all(isinstance(row[place], str) for row in table.cells)


def _written(cell: Cell, table: Table) -> str:
    if cell is None:
        return "-inf"
    if isinstance(cell, str | int):
        return str(cell)
    decimals = 0 if _is_whole(table) else table.decimals
    # The sum makes a negative zero positive.
    return f"{round(cell, decimals) + 0.0:.{decimals}f}"


def _is_whole(table: Table) -> bool:
    """Tell whether all numbers of a table are whole, so that decimals would say nothing."""
    return all(cell.is_integer() for row in table.cells for cell in row if isinstance(cell, float))
