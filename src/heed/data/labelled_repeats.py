"""Labelled texts that stand twice: in training, with another label, and in the records by which training is judged.

Texts are compared after NFC normalisation; two that then differ only in case or white space are counted as alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from heed.data.dealing import composed
from heed.data.labelled_splits import LabelledSplits
from heed.data.records import LabelledText

EXAMPLES = 10

Key = tuple[str, ...]


@dataclass(frozen=True)
class LabelledLeak:
    """How much of a split stands in an earlier one as well."""

    split: str  # "valid" or "test"
    earlier: str  # "train", or "valid"
    size: int  # records of the split
    records: int  # of these stand in the earlier one, with whatever label
    other_label: int  # of these have another label there
    alike: int  # more records that differ from one there only in case or white space
    examples: tuple[str, ...]  # places of the first


@dataclass(frozen=True)
class Conflict:
    """One text with two labels, and where each is said."""

    first: str  # "path:line"
    first_label: str
    second: str
    second_label: str


@dataclass(frozen=True)
class LabelledRepeats:
    """What stands more than once."""

    duplicates: int  # records of train that stand there already, with the same label
    conflicts: int  # texts of train that have more than one label
    conflict_examples: tuple[Conflict, ...]
    leaks: tuple[LabelledLeak, ...]


def find_labelled_repeats(splits: LabelledSplits) -> LabelledRepeats:
    """Count what stands twice in train, and what of valid and test stands in an earlier split."""
    firsts: dict[Key, dict[str, LabelledText]] = {}  # of each text and label
    for record in splits.train:
        firsts.setdefault(_key(record), {}).setdefault(record.label, record)
    several = [list(labels.values()) for labels in firsts.values() if len(labels) > 1]
    pairs = (("valid", splits.valid, "train", splits.train), ("test", splits.test, "train", splits.train))
    leaks = [_leak(*pair) for pair in (*pairs, ("test", splits.test, "valid", splits.valid)) if pair[1] and pair[3]]
    return LabelledRepeats(
        duplicates=len(splits.train) - sum(map(len, firsts.values())),
        conflicts=len(several),
        conflict_examples=tuple(_conflict(*records[:2]) for records in several[:EXAMPLES]),
        leaks=tuple(leaks),
    )


def _leak(split: str, records: Sequence[LabelledText], earlier: str, before: Sequence[LabelledText]) -> LabelledLeak:
    known: dict[Key, set[str]] = {}
    for record in before:
        known.setdefault(_key(record), set()).add(record.label)
    folded = {_folded(key) for key in known}
    seen = [record for record in records if _key(record) in known]
    alike = [record for record in records if _key(record) not in known and _folded(_key(record)) in folded]
    return LabelledLeak(
        split,
        earlier,
        size=len(records),
        records=len(seen),
        other_label=sum(record.label not in known[_key(record)] for record in seen),
        alike=len(alike),
        examples=tuple(record.place for record in (seen or alike)[:EXAMPLES]),
    )


def _conflict(first: LabelledText, second: LabelledText) -> Conflict:
    return Conflict(first.place, first.label, second.place, second.label)


def _key(record: LabelledText) -> Key:
    return tuple(map(composed, record.texts))


def _folded(key: Key) -> Key:
    return tuple(" ".join(text.casefold().split()) for text in key)
