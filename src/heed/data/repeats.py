"""Pairs that stand twice: within training, and, worse, in training and in the pairs by which it is judged."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from heed.data.leaks import earlier_splits, sharing
from heed.data.record_keys import input_texts, pair_key
from heed.data.records import TextPair
from heed.data.splits import PairSplits


@dataclass(frozen=True)
class Leak:
    """How much of a split stands in an earlier one as well."""

    split: str  # "valid" or "test"
    size: int  # pairs in the split
    pairs: int  # of these stand in the earlier split with the same target
    sources: int  # of these have a source of the earlier split, whatever the target (the pairs above among them)
    examples: tuple[str, ...]  # places of the first
    earlier: str = "train"  # or "valid"


@dataclass(frozen=True)
class Repeats:
    """What stands more than once; texts are compared after NFC normalisation."""

    duplicates: int  # pairs of training that stand there already
    several_targets: int  # sources of training that have more than one target
    several_example: str  # place of a pair with such a source; "" where there is none
    copies: int  # pairs of any split whose target is the source
    leaks: tuple[Leak, ...]


def find_repeats(splits: PairSplits) -> Repeats:
    """Count what stands twice in training, and what of valid and test stands in an earlier split."""
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
            _leak(*each) for each in earlier_splits(splits.train, splits.valid, splits.test) if each[1] and each[3]
        ),
    )


def _leak(split: str, pairs: Sequence[TextPair], earlier: str, before: Sequence[TextPair]) -> Leak:
    known = set(map(pair_key, before))
    seen = sharing(pairs, before, input_texts)
    same = [pair for pair in seen if pair_key(pair) in known]
    places = tuple(pair.place for pair in (same or seen)[:10])
    return Leak(split, len(pairs), len(same), len(seen), places, earlier)
