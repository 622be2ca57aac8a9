"""The column that `--group` names: records with one value of it stay on one side of a split."""

import dataclasses
import difflib
from pathlib import Path

from heed.errors import DataError, UsageError
from heed.files.columns import Columns
from heed.files.quoting import quote
from heed.files.tables import TABLE_SUFFIXES, Row

# Tasks whose files have no columns of their own for each record, and what they have.
WITHOUT_GROUPS = {
    "tag": "CoNLL files, whose columns are of words",
    "answer": "questions in the format of SQuAD",
    "write": "plain text",
    "vectors": "plain text",
}


def with_group(path: Path, columns: Columns, group: str | None) -> Columns:
    """Return the columns with the group's, by its name or, where there is no header, its position."""
    if group is None or group in columns.names:
        return columns if group is None else dataclasses.replace(columns, sentence=_sentence(columns, group))
    if columns.present.count(group) != 1:
        raise DataError(_no_such_group(path, columns, group))
    positions = (columns.present.index(group),) if columns.width else ()
    return dataclasses.replace(
        columns,
        names=(*columns.names, group),
        positions=(*columns.positions, *positions),
        scalars=columns.scalars | {group},
        sentence=_sentence(columns, group),
    )


def group_of(row: Row, group: str | None) -> str | None:
    """Return the row's value of the group column, or None where no column is named."""
    return None if group is None else row.values[group].strip()


def checked_group(place: str, value: str | None) -> str | None:
    """Return the value; refuse an empty one, which would put records together that have nothing in common."""
    if value == "":
        raise DataError(
            f"{place}: the group column (--group) is empty here. Give every record a value; a record that belongs to "
            f"no group needs one of its own."
        )
    return value


def refuse_group(group: str | None, what: str) -> None:
    """Refuse a group column for data that has no columns; `what` names that data."""
    if group is not None:
        raise UsageError(
            f"The group column {quote(group)} is for tables ({', '.join(TABLE_SUFFIXES)}); {what} has none. "
            f"Leave --group out, or give a table."
        )


def _sentence(columns: Columns, group: str) -> str:
    return f"{columns.sentence}; groups by {quote(group)}"


def _no_such_group(path: Path, columns: Columns, group: str) -> str:
    shown = ", ".join(quote(name, 30) for name in columns.present[:20])
    times = columns.present.count(group)
    if times > 1:
        return f"{path}: the header names the group column {quote(group)} {times} times. Name each column once."
    close = difflib.get_close_matches(group, columns.present[:100], n=1)
    if close:
        hint = f"Did you mean {quote(close[0])}?"
    elif columns.width and not columns.header:
        hint = "Its row 1 is read as data: name the columns of text and label too (--columns) if it is a header."
    else:
        hint = "Name one of these."
    return f"{path}: there is no group column {quote(group)}; its columns are {shown}. {hint}"
