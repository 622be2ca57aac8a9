"""`named`: one of several settings by the name that a person gives it."""

from collections.abc import Mapping
from typing import TypeVar

from heed.errors import UsageError

Settings = TypeVar("Settings")


def named(presets: Mapping[str, Settings], name: str) -> Settings:
    """Return the settings of that name, or refuse it with those that there are."""
    if name not in presets:
        raise UsageError(f"There is no model {name!r} for this task. Choose one of: {', '.join(presets)}.")
    return presets[name]
