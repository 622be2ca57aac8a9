"""`read_rows`: the rows of a `.tsv`, `.csv` or `.jsonl` file as named texts, each with its place "path:line".

Which columns are read and whether row 1 is a header is decided in `columns`. Every record must have as many fields as
row 1: a stray tab or comma would otherwise move a text into the wrong column in silence.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from heed.errors import DataError
from heed.files.columns import Columns, find_columns
from heed.files.fields import Fields, read_fields
from heed.files.objects import read_objects, scalar_of, text_of
from heed.files.opening import inner_suffix
from heed.files.quoting import quote

TABLE_SUFFIXES = (".tsv", ".csv", ".jsonl")


@dataclass(frozen=True, slots=True)
class Row:
    """One record: where it begins, and the text of each chosen column."""

    place: str  # "path:line"
    values: dict[str, str]


def is_table(path: Path) -> bool:
    """Tell by the name (below `.gz`) whether the file is a table."""
    return inner_suffix(path) in TABLE_SUFFIXES


def read_rows(path: Path, columns: Columns | None = None) -> Iterator[Row]:
    """Yield the rows of a table; without `columns`, all of them under the names that `find_columns` gives them."""
    chosen = columns if columns is not None else find_columns(path, None)
    if inner_suffix(path) == ".jsonl":
        return _rows_of_objects(path, chosen)
    return _rows_of_fields(path, chosen)


def _rows_of_objects(path: Path, columns: Columns) -> Iterator[Row]:
    for item in read_objects(path):
        place = f"{path}:{item.number}"
        values = {
            name: (scalar_of if name in columns.scalars else text_of)(place, item.values, name)
            for name in columns.names
        }
        yield Row(place, values)


def _rows_of_fields(path: Path, columns: Columns) -> Iterator[Row]:
    records = read_fields(path)
    if columns.header:
        next(records)
    empty = True
    for record in records:
        empty = False
        place = f"{path}:{record.number}"
        if len(record.values) != columns.width:
            raise DataError(_wrong_width(place, path, record, columns))
        yield Row(place, {name: record.values[at] for name, at in zip(columns.names, columns.positions, strict=True)})
    if empty:
        names = ", ".join(quote(name) for name in columns.names)
        raise DataError(f"{path} holds only a header (with {names}) and no rows. Give a file with data.")


def _wrong_width(place: str, path: Path, record: Fields, columns: Columns) -> str:
    first = "the header" if columns.header else "row 1"
    shown = " | ".join(quote(field, 30) for field in record.values[:6])
    if inner_suffix(path) == ".csv":
        cure = 'Put quotes around a field that has a comma in it ("a, b").'
    else:
        cure = "Remove the stray tab, or add the missing one."
    return f"{place}: {len(record.values)} field(s), but {first} has {columns.width}: {shown}. {cure}"
