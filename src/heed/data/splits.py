"""`PairSplits`: what a task trains on, chooses by and is scored on; `split_by_hash` makes it from a single file."""

from collections.abc import Sequence
from dataclasses import dataclass

from heed.data.dealing import GROUPED, Inputs, Shares, SplitRule, grouped_by, split_records
from heed.data.record_keys import input_texts
from heed.data.records import TextPair

SOURCES = Inputs[TextPair](lambda pair: pair.source, input_texts, "pairs", "sources", "the source text")


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
    pairs: Sequence[TextPair], valid_share: float = 0.05, test_share: float = 0.05, rule: SplitRule = GROUPED
) -> PairSplits:
    """Split pairs into training, validation and test set; pairs with the same source stay on one side."""
    dealt = split_records(pairs, grouped_by(SOURCES, rule), Shares(valid_share, test_share), rule)
    return PairSplits(dealt.parts.train, dealt.parts.valid, dealt.parts.test, "", dealt.note)
