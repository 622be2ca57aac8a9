"""Results for programs: one JSON document a line on standard output."""

import dataclasses
import json
import sys
from pathlib import Path


def print_json(value: object) -> None:
    """Print a value as one line of JSON; dataclasses become objects."""
    sys.stdout.write(json_text(value) + "\n")
    sys.stdout.flush()


def json_text(value: object) -> str:
    """Return a value as JSON on one line; dataclasses become objects."""
    return json.dumps(_plain(value), ensure_ascii=False, allow_nan=False)


def _plain(value: object) -> object:
    """Return the value made of what JSON knows; a number that is not finite becomes null."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return None
    return str(value) if isinstance(value, Path) else value
