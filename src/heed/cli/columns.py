"""The `--columns` option, shared by `train`, `check` and `evaluate`."""

from typing import Annotated

import typer

from heed.errors import UsageError

Columns = Annotated[str | None, typer.Option("--columns", help="Source and target column of a table: en,fr.")]


def two_columns(text: str | None) -> tuple[str, str] | None:
    """Return the two names in the option's text, or None where it was not given."""
    if text is None:
        return None
    match [name.strip() for name in text.split(",")]:
        case [str(source), str(target)] if source and target:
            return source, target
        case _:
            raise UsageError(f"--columns is {text!r}. Give two names with a comma between them, such as en,fr.")
