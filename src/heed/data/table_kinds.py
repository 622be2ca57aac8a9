"""`TableKind`: what the columns of a table are to a task; `choose_columns` finds them in a file, or asks the user."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from heed.data.task_columns import check_count
from heed.errors import DataError
from heed.files.columns import Columns, find_columns
from heed.files.fields import read_fields
from heed.files.quoting import quote


@dataclass(frozen=True)
class TableKind:
    """The columns that a task reads, in the order of use."""

    option: str  # as --columns names them: "TEXT,LABEL"
    needed: str  # as a message lists them: "text, label"
    nouns: str  # as a message speaks of them: "text and label"
    usual: tuple[tuple[str, ...], ...]  # names by which they are known, in any case; the first that fit are taken

    @property
    def width(self) -> int:
        """Return how many columns are read."""
        return self.option.count(",") + 1


def choose_columns(path: Path, wanted: Sequence[str] | None, kind: TableKind) -> Columns:
    """Return the columns of that kind, or raise DataError where the table does not show which they are."""
    check_count(wanted, kind.option)
    chosen = find_columns(path, wanted, kind.usual, kind.width, f"columns ({kind.needed})")
    if wanted is None and chosen.width > len(chosen.names) and not chosen.header:
        shown = " | ".join(quote(field, 30) for field in next(read_fields(path)).values[:20])
        positions = ",".join(str(number) for number in range(2, kind.width + 2))
        raise DataError(
            f"{path}: which of its {chosen.width} columns are {kind.nouns} is not known, for row 1 is {shown}. "
            f"Name them as --columns {kind.option}, by name or by position (such as {positions})."
        )
    return chosen
