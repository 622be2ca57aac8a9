"""Text to plain values: a settings file (TOML or JSON) and the value of a `part.key=value` override.

Nothing here knows what settings exist; `heed.settings` checks names and types. Refused here is what the parsers let
through or die of: duplicate keys (JSON keeps the last one in silence), NaN, nesting that overflows the stack, integers
with thousands of digits, and files that are no settings file at all.
"""

import json
import re
import tomllib
from pathlib import Path
from typing import NoReturn

from heed.errors import SettingsError

LARGEST_FILE = 1_000_000  # bytes; a settings file has a few hundred
DEEPEST = 32  # tables within tables; settings need about four
MOST_DOTS = 500  # in one line of TOML: tomllib takes quadratic time over a dotted key, hours for a megabyte of "a.a.a."
LONGEST_INTEGER = 2**63


def parse_file(path: Path) -> dict[str, object]:
    """Return the table that a .toml or .json file holds."""
    if path.suffix.lower() not in (".toml", ".json"):
        raise SettingsError(f"{path} ends in {path.suffix!r}. A settings file ends in .toml or .json.")
    text = _read_text(path)
    values = _parse_toml(text, path) if path.suffix.lower() == ".toml" else _parse_json(text, path)
    if not isinstance(values, dict):
        raise SettingsError(f"{path} holds a {type(values).__name__}. A settings file holds one table: {{...}}.")
    _refuse_extremes(values, path, depth=0)
    return values


def parse_assigned(text: str) -> object:
    """Return the value behind the "=" of an override: a TOML value if it is one, else the text itself."""
    # A list that goes on after the text: a comment or a second line in the text cannot hide what follows it.
    try:
        document = tomllib.loads(f"value = [{text}, 0]")
    except (ValueError, RecursionError):
        return text.strip()
    if len(document) == 1 and len(document["value"]) == 2:
        return document["value"][0]
    return text.strip()


def _read_text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise SettingsError(f"There is no settings file {path}. Check the name and the folder.") from None
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}. Give a readable file.") from error
    if len(data) > LARGEST_FILE:
        raise SettingsError(f"{path} is larger than {LARGEST_FILE} bytes. It does not look like a settings file.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SettingsError(f"{path}:{line}: byte {data[error.start]:#04x} is not UTF-8. Save it as UTF-8.") from error


def _parse_toml(text: str, path: Path) -> object:
    if any(line.count(".") > MOST_DOTS for line in text.split("\n")):
        _too_deep(path)
    try:
        return tomllib.loads(text)
    except RecursionError:
        _too_deep(path)
    except ValueError as error:  # TOMLDecodeError, or an integer of more digits than Python converts
        found = re.search(r" \(at line (\d+), column (\d+)\)$", str(error))
        place = f"{path}:{found[1]}:{found[2]}" if found else f"{path}:{text.count(chr(10)) + 1}"
        message = str(error)[: found.start()] if found else str(error)
        raise SettingsError(f"{place}: not valid TOML: {message}. Correct that line.") from error


def _parse_json(text: str, path: Path) -> object:
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant, parse_int=_short_integer)
    except RecursionError:
        _too_deep(path)
    except json.JSONDecodeError as error:
        raise SettingsError(
            f"{path}:{error.lineno}:{error.colno}: not valid JSON: {error.msg}. Correct that line."
        ) from error
    except ValueError as error:
        raise SettingsError(f"{path}: {error}") from error


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values = dict(pairs)
    if len(values) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice!r} stands twice in one table. Keep one of them.")
    return values


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number that a setting can have. Write a finite number.")


def _short_integer(digits: str) -> int:
    if len(digits) > 20:
        raise ValueError(f"the integer {digits[:20]}… has {len(digits)} digits. Settings hold 64-bit integers.")
    return int(digits)


def _refuse_extremes(value: object, path: Path, depth: int) -> None:
    if depth > DEEPEST:
        _too_deep(path)
    if isinstance(value, dict):
        for item in value.values():
            _refuse_extremes(item, path, depth + 1)
    elif isinstance(value, list):
        for item in value:
            _refuse_extremes(item, path, depth + 1)
    elif isinstance(value, int) and not -LONGEST_INTEGER <= value < LONGEST_INTEGER:
        raise SettingsError(f"{path}: an integer of {value.bit_length()} bits. Settings hold 64-bit integers.")


def _too_deep(path: Path) -> NoReturn:
    raise SettingsError(f"{path}: tables or lists nested more than {DEEPEST} deep. Settings need about four levels.")
