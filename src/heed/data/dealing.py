"""`deal`: records to train on, to choose by and to be scored on, told apart by the hash of a text of theirs alone."""

import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from heed.data.record_keys import composed
from heed.errors import DataError, UsageError

T = TypeVar("T")


@dataclass(frozen=True)
class Parts(Generic[T]):
    """Records dealt to three sides, each in the order of the file."""

    train: tuple[T, ...]
    valid: tuple[T, ...]
    test: tuple[T, ...]


@dataclass(frozen=True)
class Shares:
    """How much of the records goes to valid and to test."""

    valid: float
    test: float

    def __post_init__(self) -> None:
        if not (self.valid > 0 and self.test >= 0 and self.valid + self.test < 1):
            raise UsageError(
                f"Shares of {self.valid} to choose by and {self.test} to be scored on leave nothing to train on or to "
                f"choose by. Use shares such as 0.05 and 0.05."
            )


def deal(records: Sequence[T], key: Callable[[T], str], shares: Shares, nouns: tuple[str, str]) -> Parts[T]:
    """Deal records by the hash of their key; a record added or removed never moves another.

    `nouns` are what a message calls the records and their keys, such as "pairs" and "sources".
    """
    train: list[T] = []
    valid: list[T] = []
    test: list[T] = []
    for record in records:
        point = point_of(key(record))
        (valid if point < shares.valid else test if point < shares.valid + shares.test else train).append(record)
    if not train or not valid:
        different = len({composed(key(record)) for record in records})
        found = f"{len(records):,} {nouns[0]} with {different:,} different {nouns[1]}"
        raise DataError(_too_few(found, bool(train), shares.valid))
    return Parts(tuple(train), tuple(valid), tuple(test))


def how_dealt(parts: Parts[T], of: str, noun: str, shares: Shares) -> str:
    """Return the sentence that says how the records were dealt."""
    scored = f", {len(parts.test):,} to be scored on" if shares.test else ""
    counts = f"{len(parts.train):,} {noun} to train on, {len(parts.valid):,} to choose by{scored}"
    return f"Split by the hash of {of}: {counts}."


def point_of(key: str) -> float:
    """Return where from 0 to 1 a key falls: always at the same place, and keys evenly over all."""
    digest = hashlib.sha256(composed(key).encode("utf-8")).digest()
    return int.from_bytes(digest[:6], "big") / 2**48


def _too_few(found: str, has_train: bool, valid_share: float) -> str:
    needed = math.ceil(3 / valid_share)  # with n keys none is drawn with chance (1 - share)^n, here under 5 %
    side = f"validation ({valid_share:.0%})" if has_train else "training"
    return (
        f"{found} are too few to split: none fell to {side}. "
        f"Give {needed:,} or more, or a file of its own for validation (--valid)."
    )
