"""The options that change settings, shared by `train` and `compare`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from heed.settings import with_overrides
from heed.settings_file import parse_file

SettingsFile = Annotated[Path | None, typer.Option("--settings", help="A TOML or JSON file of settings.")]
Assign = Annotated[list[str] | None, typer.Option("--set", help="One setting, such as model.width=128.")]


def given_settings(
    file: Path | None, assignments: list[str] | None, **parts: Mapping[str, object]
) -> dict[str, object]:
    """Return the settings of a file, then the assignments, then the options of each part that were given."""
    values: dict[str, object] = dict(parse_file(file)) if file is not None else {}
    values = with_overrides(values, assignments or [])
    for part, options in parts.items():
        own = values.get(part, {})
        chosen = {name: value for name, value in options.items() if value is not None}
        if chosen:
            values[part] = {**own, **chosen} if isinstance(own, dict) else own
    return values
