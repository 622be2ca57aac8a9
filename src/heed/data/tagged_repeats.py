"""Tagged sentences that stand twice: in training, with other tags, and in the sentences by which training is judged.

Sentences are compared by their words after NFC normalisation.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from heed.data.leaks import earlier_splits
from heed.data.record_keys import tagged_key
from heed.data.records import TaggedText
from heed.data.tagged_splits import TaggedSplits

EXAMPLES = 10


@dataclass(frozen=True)
class TaggedLeak:
    """How much of a split stands in an earlier one as well."""

    split: str  # "valid" or "test"
    earlier: str  # "train", or "valid"
    size: int  # sentences of the split
    sentences: int  # of these stand in the earlier one, with whatever tags
    other_tags: int  # of these have other tags there
    examples: tuple[str, ...]  # places of the first


@dataclass(frozen=True)
class TagConflict:
    """One sentence that is tagged in two ways, and the first word on which they disagree."""

    first: str  # "path:line"
    second: str
    word: str
    first_tag: str
    second_tag: str


@dataclass(frozen=True)
class TaggedRepeats:
    """What stands more than once."""

    duplicates: int  # sentences of train that stand there already, with the same tags
    conflicts: int  # sentences of train that have tags of more than one way
    conflict_examples: tuple[TagConflict, ...]
    leaks: tuple[TaggedLeak, ...]


def find_tagged_repeats(splits: TaggedSplits) -> TaggedRepeats:
    """Count what stands twice in train, and what of valid and test stands in an earlier split."""
    firsts: dict[tuple[str, ...], dict[tuple[str, ...], TaggedText]] = {}  # of each sentence and way to tag it
    for record in splits.train:
        firsts.setdefault(tagged_key(record), {}).setdefault(record.tags, record)
    several = [list(ways.values()) for ways in firsts.values() if len(ways) > 1]
    judged = earlier_splits(splits.train, splits.valid, splits.test)
    leaks = [_leak(*each) for each in judged if each[1] and each[3]]
    return TaggedRepeats(
        duplicates=len(splits.train) - sum(map(len, firsts.values())),
        conflicts=len(several),
        conflict_examples=tuple(_conflict(*records[:2]) for records in several[:EXAMPLES]),
        leaks=tuple(leaks),
    )


def _leak(split: str, records: Sequence[TaggedText], earlier: str, before: Sequence[TaggedText]) -> TaggedLeak:
    known: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
    for record in before:
        known.setdefault(tagged_key(record), set()).add(record.tags)
    seen = [record for record in records if tagged_key(record) in known]
    return TaggedLeak(
        split,
        earlier,
        size=len(records),
        sentences=len(seen),
        other_tags=sum(record.tags not in known[tagged_key(record)] for record in seen),
        examples=tuple(record.place for record in seen[:EXAMPLES]),
    )


def _conflict(first: TaggedText, second: TaggedText) -> TagConflict:
    pairs = zip(first.words, first.tags, second.tags, strict=True)
    word, first_tag, second_tag = next(each for each in pairs if each[1] != each[2])
    return TagConflict(first.place, second.place, word, first_tag, second_tag)
