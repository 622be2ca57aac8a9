"""`PairSplits`: what a task trains on, chooses by and is scored on; `split_by_hash` makes it from a single file."""

import hashlib
import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from heed.data.records import TextPair
from heed.errors import DataError, UsageError


@dataclass(frozen=True)
class PairSplits:
    """Pairs to train on, to choose by and to be scored on, and where they come from."""

    train: Sequence[TextPair]
    valid: Sequence[TextPair]
    test: Sequence[TextPair]
    origin: str  # the files, or the demo
    note: str  # sentences for the user: which columns, how it was split, what was left out
    empty: int = 0  # pairs that were left out because a side was empty
    empty_places: tuple[str, ...] = ()  # "path:line" of the first of them


def split_by_hash(
    pairs: Sequence[TextPair], valid_share: float = 0.05, test_share: float = 0.05, origin: str = ""
) -> PairSplits:
    """Deal pairs to train, valid and test by the hash of the source text alone.

    The same source never stands on two sides, and a pair added or removed never moves another.
    """
    _check_shares(valid_share, test_share)
    train: list[TextPair] = []
    valid: list[TextPair] = []
    test: list[TextPair] = []
    for pair in pairs:
        point = _point(pair.source)
        (valid if point < valid_share else test if point < valid_share + test_share else train).append(pair)
    if not train or not valid:
        raise DataError(_too_few(pairs, train, valid_share))
    scored = f", {len(test):,} to be scored on" if test_share else ""
    note = (
        f"Split by the hash of the source text: {len(train):,} pairs to train on, {len(valid):,} to choose by{scored}."
    )
    return PairSplits(tuple(train), tuple(valid), tuple(test), origin, note)


def _point(source: str) -> float:
    # NFC, so that two spellings of the same characters fall on the same side.
    digest = hashlib.sha256(unicodedata.normalize("NFC", source).encode("utf-8")).digest()
    return int.from_bytes(digest[:6], "big") / 2**48


def _check_shares(valid_share: float, test_share: float) -> None:
    if not (valid_share > 0 and test_share >= 0 and valid_share + test_share < 1):
        raise UsageError(
            f"Shares of {valid_share} to choose by and {test_share} to be scored on leave nothing to train on or to "
            f"choose by. Use shares such as 0.05 and 0.05."
        )


def _too_few(pairs: Sequence[TextPair], train: Sequence[TextPair], valid_share: float) -> str:
    sources = len({unicodedata.normalize("NFC", pair.source) for pair in pairs})
    needed = math.ceil(3 / valid_share)  # with n sources none is drawn with chance (1 - share)^n, here under 5 %
    side = "training" if not train else f"validation ({valid_share:.0%})"
    return (
        f"{len(pairs):,} pairs with {sources:,} different sources are too few to split: none fell to {side}. "
        f"Give {needed:,} or more, or a file of its own for validation (--valid)."
    )
