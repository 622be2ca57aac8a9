"""The options `--columns` and `--group`, shared by the commands that read tables."""

from typing import Annotated

import typer

from heed.data.task_columns import TASK_COLUMNS
from heed.errors import UsageError

# Tasks whose files have no columns, and what they have.
_WITHOUT_COLUMNS = {"answer": "questions in the format of SQuAD", "write": "plain text", "vectors": "plain text"}

Columns = Annotated[
    str | None,
    typer.Option(
        "--columns",
        help=f"Columns of a table: {TASK_COLUMNS['translate']} (translate), {TASK_COLUMNS['classify']} (classify), "
        f"{TASK_COLUMNS['pair']} (pair), {TASK_COLUMNS['image']} (image), {TASK_COLUMNS['caption']} (caption); "
        f"the numbers of {TASK_COLUMNS['tag']} (tag).",
    ),
]

Group = Annotated[
    str | None,
    typer.Option(
        "--group", help="A column of a table, such as a user or a document: its records stay on one side of the split."
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
    if text is not None and task in _WITHOUT_COLUMNS:
        raise UsageError(
            f"--columns is {text!r}, but task {task} reads {_WITHOUT_COLUMNS[task]}, which has none. Leave it out."
        )
    return column_names(text, TASK_COLUMNS[task]) if task in TASK_COLUMNS else None
