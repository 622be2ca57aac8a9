"""`read_objects`: the objects of a JSON Lines file, one a line, with all that JSON readers let pass in silence refused.

Refused: a key that stands twice, NaN and Infinity, numbers of over a thousand digits, nesting without end, anything on
a line but one object. Values are not judged here; `text_of` takes one out of an object and demands that it is text,
`scalar_of` takes numbers, true, false and null as well.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from heed.errors import DataError
from heed.files.json_values import TOO_DEEP, described, kind_of, parse_json, refuse_half_characters
from heed.files.lines import read_lines
from heed.files.quoting import quote

WHOLE_FLOATS = 2**53  # below it a float is the very number that was written


@dataclass(frozen=True, slots=True)
class JsonObject:
    """One line of a JSON Lines file; the values may be of any JSON kind."""

    number: int
    values: dict[str, object]


def read_objects(path: Path) -> Iterator[JsonObject]:
    """Yield the objects of a `.jsonl` file (also `.gz`), blank lines left out."""
    for line in read_lines(path):
        if line.text.strip():
            yield JsonObject(line.number, _parse(f"{path}:{line.number}", line.text))


def text_of(place: str, values: dict[str, object], key: str) -> str:
    """Return the text under the key, or raise DataError with what stands there in its stead."""
    value = _value_of(place, values, key)
    if not isinstance(value, str):
        raise DataError(
            f"{place}: the value of {quote(key)} is {described(value)}, not text. "
            f'Write it in quotes, as {{{quote(key)}: "…"}}, or name another column.'
        )
    refuse_half_characters(place, value)
    return value


def scalar_of(place: str, values: dict[str, object], key: str) -> str:
    """Return the text, number, true or false under the key as text, and null as no text.

    A whole number has no point, so that 1, 1.0 and "1" come out as one.
    """
    match _value_of(place, values, key):
        case bool(truth):
            return "true" if truth else "false"
        case int(number):
            return str(number)
        case float(number) if math.isfinite(number):
            return str(int(number)) if number.is_integer() and abs(number) < WHOLE_FLOATS else repr(number)
        case None:
            return ""
        case _:
            return text_of(place, values, key)


def _value_of(place: str, values: dict[str, object], key: str) -> object:
    if key not in values:
        keys = ", ".join(quote(name) for name in list(values)[:20]) or "none"
        raise DataError(f"{place}: the object has no key {quote(key)}; its keys: {keys}. Each line must have it.")
    return values[key]


def _parse(place: str, text: str) -> dict[str, object]:
    try:
        value = parse_json(text)
    except ValueError as error:
        if str(error) == TOO_DEEP:
            raise DataError(f"{place}: {TOO_DEEP} ({quote(text)}). Write flat objects.") from None
        raise DataError(
            f"{place}: not a JSON object: {error}. Each line must be one whole object; it reads {quote(text)}"
        ) from None
    if not isinstance(value, dict):
        raise DataError(f'{place}: {kind_of(value)}, not an object ({quote(text)}). Write {{"column": "…"}}.')
    for key in value:
        refuse_half_characters(place, key)
    return value
