"""Pairs that stand twice: within training, and, worse, in training and in the pairs by which it is judged."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from heed.data.record_keys import pair_key
from heed.data.records import TextPair
from heed.data.splits import PairSplits


@dataclass(frozen=True)
class Leak:
    """How much of a split was already seen in training."""

    split: str  # "valid" or "test"
    size: int  # pairs in the split
    pairs: int  # of these stand in training with the same target
    sources: int  # of these stand in training with any target (the pairs above among them)
    examples: tuple[str, ...]  # places of the first


@dataclass(frozen=True)
class Repeats:
    """What stands more than once; texts are compared after NFC normalisation."""

    duplicates: int  # pairs of training that stand there already
    several_targets: int  # sources of training that have more than one target
    several_example: str  # place of a pair with such a source; "" where there is none
    copies: int  # pairs of any split whose target is the source
    leaks: tuple[Leak, ...]


def find_repeats(splits: PairSplits) -> Repeats:
    """Count what stands twice in training, and what of valid and test stands in training."""
    train = [pair_key(pair) for pair in splits.train]
    different = set(train)
    several = {source for source, count in Counter(source for source, _ in different).items() if count > 1}
    example = next((pair.place for pair, (source, _) in zip(splits.train, train, strict=True) if source in several), "")
    everything = [*train, *map(pair_key, splits.valid), *map(pair_key, splits.test)]
    return Repeats(
        duplicates=len(train) - len(different),
        several_targets=len(several),
        several_example=example,
        copies=sum(source == target for source, target in everything),
        leaks=tuple(
            _leak(name, pairs, different) for name, pairs in (("valid", splits.valid), ("test", splits.test)) if pairs
        ),
    )


def _leak(split: str, pairs: Sequence[TextPair], train: set[tuple[str, str]]) -> Leak:
    sources = {source for source, _ in train}
    seen = [pair for pair in pairs if pair_key(pair)[0] in sources]
    same = [pair for pair in seen if pair_key(pair) in train]
    return Leak(split, len(pairs), len(same), len(seen), tuple(pair.place for pair in (same or seen)[:10]))
