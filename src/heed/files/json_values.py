"""`parse_json`: one JSON value, with all that JSON readers let pass in silence refused.

Refused: a key that stands twice, NaN and Infinity, numbers of over a thousand digits, nesting without end. Texts are
not looked into; `refuse_half_characters` does that for those that are used.
"""

import json
from collections import Counter
from typing import NoReturn

from heed.errors import DataError
from heed.files.quoting import quote

LONGEST_NUMBER = 1_000  # digits; Python itself stops at 4,300, with a message about its own settings
TOO_DEEP = "lists or objects nested too deeply"
_KINDS = {
    dict: "an object",
    list: "a list",
    str: "a text",
    int: "a number",
    float: "a number",
    bool: "true or false",
    type(None): "null",
}


def parse_json(text: str) -> object:
    """Return the value that the text holds, or raise ValueError with the reason."""
    try:
        return _DECODER.decode(text)
    except RecursionError:
        raise ValueError(TOO_DEEP) from None
    except json.JSONDecodeError as error:
        raise ValueError(f"{error.msg} at character {error.pos + 1}") from None


def kind_of(value: object) -> str:
    """Return what kind of JSON value this is, in words."""
    return _KINDS[type(value)]


def described(value: object) -> str:
    """Return the kind of a value, and of a number also the number."""
    # A list or an object is not spelled out: it may be nested nearly as deep as the parser can go.
    return f"a number, {str(value)[:40]}" if type(value) in (int, float) else kind_of(value)


def refuse_half_characters(place: str, text: str) -> None:
    """Refuse a text with half of a surrogate pair, which no file can hold, or with a NUL character."""
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


_DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_int=_whole_number, parse_constant=_no_constant)
