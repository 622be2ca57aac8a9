"""What `heed predict` is given: texts on the line, a file, or standard input."""

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import typer

from heed.errors import DataError, UsageError


def read_texts(inputs: Sequence[str], columns: tuple[str, ...] | None) -> Iterator[str]:
    """Yield the texts: those on the line, the lines of a file, a column of a table, or the lines of standard input."""
    if columns is not None:
        _refuse_columns_of_no_table(inputs, columns)
    if not inputs:
        yield from _standard_input()
    # Not Path.is_file(), which fails for a text that is longer than a file's name may be.
    elif len(inputs) == 1 and os.path.isfile(inputs[0]):
        yield from (texts[0] for texts in _file(Path(inputs[0]), columns, 1))
    else:
        if len(inputs) == 1 and _names_a_file(inputs[0]):
            typer.echo(f"heed: there is no file {brief(inputs[0])}; it is taken for a text", err=True)
        yield from inputs


def read_text_pairs(inputs: Sequence[str], columns: tuple[str, ...] | None) -> Iterator[tuple[str, ...]]:
    """Yield pairs of texts: two on the line, two columns of a table, or lines of standard input with a tab in them."""
    if columns is not None:
        _refuse_columns_of_no_table(inputs, columns)
    if not inputs:
        yield from (_two(line, f"line {number}") for number, line in enumerate(_standard_input(), start=1))
    elif len(inputs) == 1 and os.path.isfile(inputs[0]):
        yield from _file(Path(inputs[0]), columns, 2)
    elif len(inputs) == 2:
        yield (inputs[0], inputs[1])
    else:
        raise UsageError(f"A pair is two texts; {len(inputs)} came. Give two, or a table with two columns of text.")


def brief(text: str) -> str:
    """Return the beginning of a text in quotes."""
    return repr(text if len(text) <= 60 else f"{text[:60]}…")


def _refuse_columns_of_no_table(inputs: Sequence[str], columns: tuple[str, ...]) -> None:
    if len(inputs) != 1 or not os.path.isfile(inputs[0]):
        raise UsageError(
            f"--columns is {','.join(columns)!r}, but no table is given. Name a file that is there, or leave it out."
        )


def _standard_input() -> Iterator[str]:
    from heed.files.lines import read_standard_input

    if sys.stdin is None:
        raise UsageError("No text is given, and standard input is closed. Give a text, a file, or lines to read.")
    if sys.stdin.isatty():
        typer.echo("Type a text a line; end with Ctrl-D.", err=True)
    return (line.text for line in read_standard_input(sys.stdin.buffer))


def _file(path: Path, columns: tuple[str, ...] | None, texts: int) -> Iterator[tuple[str, ...]]:
    from heed.files.lines import read_lines
    from heed.files.tables import is_table

    if is_table(path):
        yield from _table(path, columns, texts)
    elif columns is not None:
        raise UsageError(f"--columns is for tables; {path} is lines of text.")
    else:
        for line in read_lines(path):
            yield (line.text,) if texts == 1 else _two(line.text, f"{path}:{line.number}")


def _table(path: Path, columns: tuple[str, ...] | None, texts: int) -> Iterator[tuple[str, ...]]:
    from heed.data.labelled_columns import PAIR_NAMES, TEXT_NAMES
    from heed.files.columns import find_columns
    from heed.files.tables import read_rows

    usual = [(name,) for name in TEXT_NAMES] if texts == 1 else PAIR_NAMES
    chosen = find_columns(path, columns, usual=usual, count=texts)
    for row in read_rows(path, chosen):
        yield tuple(row.values[name] for name in chosen.names)


def _two(line: str, place: str) -> tuple[str, ...]:
    texts = tuple(line.split("\t"))
    if len(texts) != 2:
        raise DataError(f"{place}: {len(texts)} text(s) between tabs: {brief(line)}. A pair is two with a tab between.")
    return texts


def _names_a_file(text: str) -> bool:
    return Path(text).suffix.lower() in (".txt", ".tsv", ".csv", ".jsonl", ".gz") and not any(map(str.isspace, text))
