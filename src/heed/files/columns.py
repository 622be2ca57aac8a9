"""Which columns of a table are read, and whether its first row is a header. One rule, and its outcome is a value.

For `.tsv` and `.csv`:
1. Names are asked for and all stand in row 1: row 1 is the header.
2. Whole numbers are asked for ("1", "3"): they are positions counted from 1, and row 1 is data. This is also the way to
   say that a first row which looks like a header is none.
3. Other names: an error that shows row 1.
4. Nothing is asked for: row 1 is a header when it names all usual columns of the job, or when its first two fields are
   two different known column names ("source", "text", "en", "French" …; see `column_names`), in any case. Of a header
   the usual columns are taken if it names them, else its columns if they are just as many as needed, else the user must
   choose. Without a header the first columns are taken, and row 1 is data.
For `.jsonl` the keys of the first object take the place of the header; where none are usual, those of texts.

`Columns.sentence` says what was chosen, so that a command can show it.
"""

import difflib
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from heed.errors import DataError, UsageError
from heed.files.column_names import is_column_name
from heed.files.fields import read_fields
from heed.files.lines import read_lines
from heed.files.objects import read_objects
from heed.files.opening import inner_suffix
from heed.files.quoting import quote

LONGEST_OPTION = 200  # characters of column names that a message proposes to copy


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns to read: their names in order of use, where they stand, and a sentence that says so."""

    names: tuple[str, ...]  # as in the header or the objects; "1", "2" where there is no header
    positions: tuple[int, ...]  # of the names, counted from 0; empty for JSON Lines
    width: int  # fields that every record must have; 0 for JSON Lines
    header: bool  # row 1 holds names, not data
    sentence: str
    present: tuple[str, ...] = ()  # all columns of the file, for messages
    scalars: frozenset[str] = frozenset()  # names whose values in JSON may also be numbers, true, false or null


def find_columns(
    path: Path,
    wanted: Sequence[str] | None,
    usual: Sequence[Sequence[str]] = (),
    count: int | None = None,
    needed: str = "columns of text",
) -> Columns:
    """Choose columns by the rule above: those wanted, else one of the `usual` sets, else the only or first `count`.

    `needed` says in a message what the `count` columns are.
    """
    if wanted is not None and len(set(wanted)) < len(wanted):
        raise UsageError(f"The columns {', '.join(wanted)} name one column twice. Name different columns.")
    need = _Need(count, needed, usual[0] if usual else ("source", "target"))
    if inner_suffix(path) == ".jsonl":
        return _of_objects(path, wanted, usual, need)
    first = next(read_fields(path), None)
    if first is None:
        raise DataError(why_empty(path))
    row = [name.strip() for name in first.values]
    if wanted is not None and all(name in row for name in wanted):
        return _of_header(path, row, wanted)
    if wanted is not None and all(name.isascii() and name.isdigit() for name in wanted):
        return _of_positions(path, row, wanted)
    if wanted is not None:
        raise DataError(_no_such_column(f"{path}:{first.number}", row, wanted))
    if _is_header(row) or _usual_in(row, usual):
        return _of_header(path, row, _usual_in(row, usual) or _all_of(path, row, need))
    return _of_positions(path, row, [str(n + 1) for n in range(count or len(row))])


@dataclass(frozen=True, slots=True)
class _Need:
    """How many columns a job needs (None: all there are), what they are, and names that would do."""

    count: int | None
    needed: str
    example: Sequence[str]


def why_empty(path: Path) -> str:
    """Say of a file without a single record whether it has no line at all or only blank ones."""
    lines = sum(1 for _ in read_lines(path))
    if lines == 0:
        return f"{path} is empty (0 lines). Give a file with data."
    return f"{path} holds only blank lines ({lines:,}). Give a file with data."


def columns_option(names: Sequence[str]) -> str:
    """Return the option that names these columns, fit to be copied to a shell; by position where it could not be."""
    text = ",".join(names)
    if not text.isprintable() or len(text) > LONGEST_OPTION or any("," in name for name in names):
        text = ",".join(str(number) for number in range(1, len(names) + 1))
    return f"--columns {shlex.quote(text)}"


def _is_header(row: Sequence[str]) -> bool:
    return len(row) >= 2 and row[0] != row[1] and is_column_name(row[0]) and is_column_name(row[1])


def _of_header(path: Path, row: Sequence[str], names: Sequence[str]) -> Columns:
    for name in names:
        if row.count(name) > 1:
            raise DataError(f"{path}: the header names {quote(name)} {row.count(name)} times. Name each column once.")
    sentence = f"columns {' → '.join(names)} from the header of {path}"
    return Columns(tuple(names), tuple(map(row.index, names)), len(row), True, sentence, tuple(row))


def _of_positions(path: Path, row: Sequence[str], names: Sequence[str]) -> Columns:
    shown = " | ".join(quote(field, 30) for field in row[:6])
    for name in names:
        if not 1 <= int(name[:9]) <= len(row):
            found = f"there is no column {name}: row 1 has {len(row)} field(s), {shown}"
            raise DataError(f"{path}: {found}. {_separator_hint(path, row)}")
    sentence = f"columns {' → '.join(names)} of {path}; its row 1 is data, not a header: {shown}"
    present = tuple(str(number) for number in range(1, len(row) + 1))
    return Columns(tuple(names), tuple(int(name) - 1 for name in names), len(row), False, sentence, present)


def _of_objects(path: Path, wanted: Sequence[str] | None, usual: Sequence[Sequence[str]], need: _Need) -> Columns:
    first = next(read_objects(path), None)
    if first is None:
        raise DataError(why_empty(path))
    keys = list(first.values)
    if wanted is None:
        texts = [key for key in keys if isinstance(first.values[key], str)]
        wanted = _usual_in(keys, usual) or _all_of(path, texts, need)
    elif not all(name in keys for name in wanted):
        raise DataError(_no_such_column(f"{path}:{first.number}", keys, wanted))
    return Columns(tuple(wanted), (), 0, False, f"keys {' → '.join(wanted)} of the objects in {path}", tuple(keys))


def _usual_in(names: Sequence[str], usual: Sequence[Sequence[str]]) -> list[str]:
    """Return the first of the usual sets that is there, spelled as it is there; an empty list if none is."""
    spelled = {name.lower(): name for name in reversed(names)} | {name: name for name in names}
    for choice in usual:
        found = [spelled.get(name, spelled.get(name.lower())) for name in choice]
        if None not in found:
            return [name for name in found if name is not None]
    return []


def _all_of(path: Path, names: Sequence[str], need: _Need) -> Sequence[str]:
    if need.count is None or len(names) == need.count:
        return names
    shown = ", ".join(quote(name) for name in names[:20]) or "none"
    example = names[-need.count :] if len(names) > need.count else need.example
    raise DataError(
        f"{path}: {need.count} {need.needed} are needed and it has {len(names)}: {shown}. "
        f"Say which to read, for example {columns_option(example)}"
    )


def _no_such_column(place: str, names: Sequence[str], wanted: Sequence[str]) -> str:
    missing = next(name for name in wanted if name not in names)
    same = [name for name in names if name.lower() == missing.lower()]
    close = same or difflib.get_close_matches(missing, names[:100], n=1)
    hint = f"Did you mean {quote(close[0])}?" if close else f"Name {len(wanted)} of these, or positions such as 1,2."
    shown = ", ".join(quote(name, 30) for name in names[:20])
    return f"{place}: there is no column {quote(missing)}; the first row has {shown}. {hint}"


def _separator_hint(path: Path, row: Sequence[str]) -> str:
    expected = "commas" if inner_suffix(path) == ".csv" else "tabs"
    if len(row) == 1 and any(mark in row[0] for mark in ";\t,|"):
        return f"A {inner_suffix(path)} file is parted by {expected}, this one seems not to be: save it again."
    return f"Check the columns asked for, and that the file is parted by {expected}."
