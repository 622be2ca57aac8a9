"""`PairSplits`: what a task trains on, chooses by and is scored on; `split_by_hash` makes it from a single file."""

from collections.abc import Sequence
from dataclasses import dataclass

from heed.data.dealing import Shares, deal, how_dealt
from heed.data.records import TextPair


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
    shares = Shares(valid_share, test_share)
    parts = deal(pairs, lambda pair: pair.source, shares, ("pairs", "sources"))
    note = how_dealt(parts, "the source text", "pairs", shares)
    return PairSplits(parts.train, parts.valid, parts.test, origin, note)
