"""`read_sentencepiece`: a vocabulary in the format of SentencePiece (`.spm`), as Marian's models are published with.

Such a file is a message of Protocol Buffers: fields, each with a number, a kind and a value. The pieces with their
scores are read, and how text is normalised; the rest is passed over. Only unigram models are read (Kudo 2018).
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from heed.errors import RunError

LARGEST_FILE = 20_000_000  # bytes; a vocabulary of 32,000 pieces has 800 KB
MOST_PIECES = 1_000_000
UNIGRAM = 1

PieceKind = Literal["normal", "unknown", "control", "user-defined", "unused", "byte"]
_KINDS: dict[int, PieceKind] = {
    1: "normal",
    2: "unknown",
    3: "control",
    4: "user-defined",
    5: "unused",
    6: "byte",
}
_VARINT, _EIGHT, _DELIMITED, _FOUR = 0, 1, 2, 5  # kinds of fields


@dataclass(frozen=True)
class ScoredPiece:
    """A piece and the logarithm of its probability."""

    text: str
    score: float
    kind: PieceKind


@dataclass(frozen=True)
class SentencePieces:
    """A vocabulary, and what is done to a text before it is cut."""

    pieces: tuple[ScoredPiece, ...]
    charsmap: bytes  # which characters become which others; empty: none
    prefix: bool = True  # a space is put before each text
    squeeze: bool = True  # several spaces become one, those at the ends none


@dataclass
class _Found:
    """What has been read of a file so far; numbers are those of the fields."""

    pieces: list[ScoredPiece] = field(default_factory=list)
    trainer: dict[int, int | bytes] = field(default_factory=dict)
    normalizer: dict[int, int | bytes] = field(default_factory=dict)


def read_sentencepiece(path: Path) -> SentencePieces:
    """Return the vocabulary; raise RunError with what is wrong."""
    try:
        size = path.stat().st_size
        if size > LARGEST_FILE:
            raise RunError(f"{path} has {size:,} bytes; at most {LARGEST_FILE:,} are read. This is no vocabulary.")
        found = _read(path.read_bytes())
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror}. Give the whole folder of a model.") from None
    except ValueError as error:
        raise RunError(f"{path} is no vocabulary of SentencePiece: {error}. Fetch it again.") from None
    return _checked(found, path)


def _read(data: bytes) -> _Found:
    found = _Found()
    for number, value in _fields(data):
        if number == 1:
            if len(found.pieces) == MOST_PIECES:
                raise ValueError(f"it has more than {MOST_PIECES:,} pieces")
            found.pieces.append(_piece(_message(number, value)))
        elif number in (2, 3):
            (found.trainer if number == 2 else found.normalizer).update(_fields(_message(number, value)))
    return found


def _piece(data: bytes) -> ScoredPiece:
    values = dict(_fields(data))
    text, score, kind = values.get(1, b""), values.get(2, b"\0\0\0\0"), values.get(3, 1)
    if not isinstance(text, bytes) or not isinstance(score, bytes) or len(score) != 4 or not isinstance(kind, int):
        raise ValueError(f"a piece is {str(values)[:60]}")
    number = struct.unpack("<f", score)[0]
    if kind not in _KINDS or not abs(number) < 1e6 or not text:
        raise ValueError(f"the piece {text[:40]!r} has kind {kind} and score {number}")
    return ScoredPiece(text.decode("utf-8"), number, _KINDS[kind])


def _checked(found: _Found, path: Path) -> SentencePieces:
    """Return what was read, if we can do as it asks."""
    asked = {
        "model_type": (found.trainer.get(3, UNIGRAM), UNIGRAM),
        "treat_whitespace_as_suffix": (found.trainer.get(24, 0), 0),
        "byte_fallback": (found.trainer.get(35, 0), 0),
        "escape_whitespaces": (found.normalizer.get(5, 1), 1),
    }
    for name, (value, known) in asked.items():
        if value != known:
            raise RunError(f"{path}: {name} is {str(value)[:20]}; only {known} is read, as in the models of Marian.")
    odd = [piece.text for piece in found.pieces if piece.kind in ("byte", "user-defined")]
    if odd or not any(piece.kind == "normal" for piece in found.pieces):
        raise RunError(f"{path}: {len(found.pieces):,} pieces, of a kind that is not read: {str(odd[:3])[:60]}.")
    charsmap = found.normalizer.get(2, b"")
    if not isinstance(charsmap, bytes):
        raise RunError(f"{path}: precompiled_charsmap is {charsmap}, not a map of characters. Fetch it again.")
    return SentencePieces(
        tuple(found.pieces),
        charsmap,
        prefix=found.normalizer.get(3, 1) != 0,
        squeeze=found.normalizer.get(4, 1) != 0,
    )


def _fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yield the number and the value of each field; refuse one that reaches beyond the end."""
    place = 0
    while place < len(data):
        key, place = _varint(data, place)
        kind = key & 7
        if kind == _VARINT:
            value, place = _varint(data, place)
            yield key >> 3, value
            continue
        if kind == _DELIMITED:
            length, place = _varint(data, place)
        elif kind in (_EIGHT, _FOUR):
            length = 8 if kind == _EIGHT else 4
        else:
            raise ValueError(f"a field of kind {kind} at byte {place}")
        if length > len(data) - place:
            raise ValueError(f"a field of {length:,} bytes at byte {place} of {len(data):,}")
        yield key >> 3, data[place : place + length]
        place += length


def _varint(data: bytes, place: int) -> tuple[int, int]:
    """Return the number at this place, seven bits a byte, and the place behind it."""
    value = 0
    for count in range(10):
        if place + count >= len(data):
            raise ValueError(f"it ends within a number at byte {place}")
        byte = data[place + count]
        value |= (byte & 127) << (7 * count)
        if byte < 128:
            return value, place + count + 1
    raise ValueError(f"a number without end at byte {place}")


def _message(number: int, value: int | bytes) -> bytes:
    if not isinstance(value, bytes):
        raise ValueError(f"field {number} is {value}, not a message")
    return value
