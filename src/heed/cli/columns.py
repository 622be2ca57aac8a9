"""The `--columns` option, shared by the commands that read tables."""

from typing import Annotated

import typer

from heed.errors import UsageError

Columns = Annotated[
    str | None,
    typer.Option(
        "--columns",
        help="Columns of a table: SOURCE,TARGET (translate), TEXT,LABEL (classify) or FIRST,SECOND,LABEL (pair).",
    ),
]


def column_names(text: str | None) -> tuple[str, ...] | None:
    """Return the names in the option's text, or None where it was not given."""
    if text is None:
        return None
    names = tuple(name.strip() for name in text.split(","))
    if len(names) not in (1, 2, 3) or not all(names):
        raise UsageError(f"--columns is {text!r}. Give names with commas between them, such as en,fr or text,label.")
    return names
