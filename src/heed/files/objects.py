"""`read_objects`: the objects of a JSON Lines file, one a line, with all that JSON readers let pass in silence refused.

Refused: a key that stands twice, NaN and Infinity, numbers of over a thousand digits, nesting without end, anything on
a line but one object. Values are not judged here; `text_of` takes one out of an object and demands that it is text,
`scalar_of` takes numbers, true, false and null as well.
"""

import json
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from heed.errors import DataError
from heed.files.lines import read_lines
from heed.files.quoting import quote

LONGEST_NUMBER = 1_000  # digits; Python itself stops at 4,300, with a message about its own settings
WHOLE_FLOATS = 2**53  # below it a float is the very number that was written
KINDS = {
    dict: "an object",
    list: "a list",
    int: "a number",
    float: "a number",
    bool: "true or false",
    type(None): "null",
}


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
            f"{place}: the value of {quote(key)} is {_described(value)}, not text. "
            f'Write it in quotes, as {{{quote(key)}: "…"}}, or name another column.'
        )
    _refuse_half_characters(place, value)
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
        value = _DECODER.decode(text)
    except RecursionError:
        raise DataError(f"{place}: lists or objects nested too deeply ({quote(text)}). Write flat objects.") from None
    except ValueError as error:
        fault = f"{error.msg} at character {error.pos + 1}" if isinstance(error, json.JSONDecodeError) else str(error)
        raise DataError(
            f"{place}: not a JSON object: {fault}. Each line must be one whole object; it reads {quote(text)}"
        ) from None
    if not isinstance(value, dict):
        kind = KINDS.get(type(value), "a text")
        raise DataError(f'{place}: {kind}, not an object ({quote(text)}). Write {{"column": "…"}}.')
    for key in value:
        _refuse_half_characters(place, key)
    return value


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values = dict(pairs)
    if len(values) < len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"the key {quote(twice)} stands twice")
    return values


def _whole_number(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise ValueError(f"a number of {len(digits):,} digits")
    return int(digits)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _refuse_half_characters(place: str, text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        half = text[error.start].encode("unicode_escape").decode("ascii")
        raise DataError(
            f"{place}: {half} at character {error.start + 1} of {quote(text)} is half of a character "
            f"(a lone surrogate). Write the file again with whole characters."
        ) from None
    if "\0" in text:
        raise DataError(f"{place}: the NUL character \\u0000 stands in {quote(text)}. Remove it.")


def _described(value: object) -> str:
    # A list or an object is not spelled out: it may be nested nearly as deep as the parser can go.
    return f"a number, {str(value)[:40]}" if type(value) in (int, float) else KINDS[type(value)]


_DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_int=_whole_number, parse_constant=_no_constant)
