"""JSON as the run folder writes and reads it: one spelling out, and nothing doubtful in.

Python's own reader takes NaN, numbers that overflow to infinity and half characters, and lets the last of two equal
keys win; here each of these is refused.
"""

import json
import math
from collections.abc import Mapping, Sequence
from typing import NoReturn

JSON = None | bool | int | float | str | Sequence["JSON"] | Mapping[str, "JSON"]


def encode(value: Mapping[str, object]) -> bytes:
    """Return the object as indented UTF-8 with sorted keys and a newline at the end."""
    text = json.dumps(dict(value), sort_keys=True, indent=2, ensure_ascii=False, allow_nan=False)
    return text.encode() + b"\n"


def encode_line(value: JSON) -> bytes:
    """Return the value on one line of UTF-8 with sorted keys and a newline at the end."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def finite(value: JSON) -> JSON:
    """Return the value with null for each number that is not finite; JSON has no word for those."""
    match value:
        case float():
            return value if math.isfinite(value) else None
        case str():
            return value
        case Mapping():
            return {name: finite(part) for name, part in value.items()}
        case Sequence():
            return [finite(part) for part in value]
    return value


def decode_object(data: bytes) -> dict[str, JSON]:
    """Return the object that the bytes hold, or raise ValueError with the reason."""
    value = _decode(data)
    if not isinstance(value, dict):
        raise ValueError(f"it holds a {type(value).__name__}, not an object")
    return value


def _decode(data: bytes) -> JSON:
    try:
        value: JSON = json.loads(
            data.decode(), object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite
        )
        # Half a surrogate pair is read without complaint and breaks whoever writes it next.
        json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except UnicodeError as error:
        raise ValueError(f"it is not UTF-8 text ({error.reason if hasattr(error, 'reason') else error})") from None
    return value


def _unique(pairs: list[tuple[str, JSON]]) -> dict[str, JSON]:
    found: dict[str, JSON] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"the key {name!r} stands twice")
        found[name] = value
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number of JSON")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(f"the number {digits} is too large")
    return value
