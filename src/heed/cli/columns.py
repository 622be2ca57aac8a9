"""The `--columns` option, shared by the commands that read tables."""

from typing import Annotated

import typer

from heed.data.task_columns import TASK_COLUMNS
from heed.errors import UsageError

Columns = Annotated[
    str | None,
    typer.Option(
        "--columns",
        help=f"Columns of a table: {TASK_COLUMNS['translate']} (translate), {TASK_COLUMNS['classify']} (classify), "
        f"{TASK_COLUMNS['pair']} (pair); the numbers of {TASK_COLUMNS['tag']} (tag).",
    ),
]


def column_names(text: str | None, wanted: str) -> tuple[str, ...] | None:
    """Return the names in the option's text, as many as are `wanted` ("TEXT,LABEL"), or None where it was not given."""
    if text is None:
        return None
    names, needed = tuple(name.strip() for name in text.split(",")), wanted.split(",")
    if len(names) != len(needed) or not all(names):
        raise UsageError(f"--columns is {text!r}. Give {len(needed)} name(s) with commas between them: {wanted}.")
    return names


def task_columns(text: str | None, task: str) -> tuple[str, ...] | None:
    """Return the names that a task needs; that there is no such task is told elsewhere."""
    return column_names(text, TASK_COLUMNS[task]) if task in TASK_COLUMNS else None
