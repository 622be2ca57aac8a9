"""Characters that look wrong in a text: traces of a wrong encoding, control characters, letters in pieces."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

REPLACED = "�"  # U+FFFD
# C0 and C1 controls except tab and line end, and the byte order mark inside a text.
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff]")
# What the two bytes of "é", or the three of a curly quote, look like when UTF-8 was read as Latin-1 or Windows-1252.
TWICE_ENCODED = re.compile("[ÃÂ][\u0080-\u00bf]|â€[\u0080-\u00bf\u2018-\u203a\u0153œ™]")


@dataclass(frozen=True)
class CharacterFault:
    """One kind of wrong character, and the records that have it in any of their texts."""

    kind: str  # what it is, in words
    records: int
    examples: tuple[str, ...]  # places of the first


def find_faults(sides: Mapping[str, Sequence[str]], places: Sequence[str]) -> tuple[CharacterFault, ...]:
    """Return the kinds of wrong character that occur; `sides` are the texts of all records, `places` theirs."""
    records = list(zip(places, zip(*sides.values(), strict=True), strict=True))
    found = (_fault(kind, records, is_wrong) for kind, is_wrong in KINDS)
    return tuple(fault for fault in found if fault.records)


def _fault(
    kind: str, records: Iterable[tuple[str, tuple[str, ...]]], is_wrong: Callable[[str], bool]
) -> CharacterFault:
    places = [place for place, texts in records if any(map(is_wrong, texts))]
    return CharacterFault(kind, len(places), tuple(places[:10]))


def _is_replaced(text: str) -> bool:
    return REPLACED in text


def _has_control(text: str) -> bool:
    return CONTROLS.search(text) is not None


def _is_twice_encoded(text: str) -> bool:
    return TWICE_ENCODED.search(text) is not None


def _is_in_pieces(text: str) -> bool:
    return not unicodedata.is_normalized("NFC", text)


IN_PIECES = "letters written in pieces (not NFC, such as e followed by an accent)"
KINDS: tuple[tuple[str, Callable[[str], bool]], ...] = (
    ("the replacement character U+FFFD, left by a lost letter", _is_replaced),
    ("control characters", _has_control),
    ("UTF-8 read as Latin-1 (such as Ã© for é)", _is_twice_encoded),
    (IN_PIECES, _is_in_pieces),
)
