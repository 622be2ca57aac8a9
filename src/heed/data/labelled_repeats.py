"""Labelled records that stand twice: in training, with another label, and where training is judged.

Texts are compared after NFC normalisation; two that then differ only in case or white space are counted as alike. Of
pairs one text that stands in an earlier split is counted too, for a model may know the answer by it.
`repeats_among` does the same for whatever has keys by which it is known again, such as the bytes of a picture.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from heed.data.labelled_splits import LabelledSplits
from heed.data.leaks import earlier_splits, sharing
from heed.data.record_keys import input_texts, labelled_key
from heed.data.records import LabelledText

EXAMPLES = 10

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A record as repeats see it."""

    key: Key  # two records with one key are the same
    loose_key: Key  # two with one of these, and another key, are alike
    label: str
    place: str
    parts: Key = ()  # of pairs: the two texts, of which one alone would give a record away


@dataclass(frozen=True)
class LabelledLeak:
    """How much of a split stands in an earlier one as well."""

    split: str  # "valid" or "test"
    earlier: str  # "train", or "valid"
    size: int  # records of the split
    records: int  # of these stand in the earlier one, with whatever label
    other_label: int  # of these have another label there
    alike: int  # more records that differ from one there only in what the loose key leaves out
    examples: tuple[str, ...]  # places of the first
    sharing: int = 0  # of pairs: more records that share one of their texts with a pair there
    sharing_examples: tuple[str, ...] = ()


@dataclass(frozen=True)
class Conflict:
    """One text or picture with two labels, and where each is said."""

    first: str  # "path:line"
    first_label: str
    second: str
    second_label: str


@dataclass(frozen=True)
class LabelledRepeats:
    """What stands more than once."""

    duplicates: int  # records of train that stand there already, with the same label
    conflicts: int  # texts or pictures of train that have more than one label
    conflict_examples: tuple[Conflict, ...]
    leaks: tuple[LabelledLeak, ...]


def find_labelled_repeats(splits: LabelledSplits) -> LabelledRepeats:
    """Count the texts that stand twice in train, and those of valid and test that stand in an earlier split."""
    return repeats_among(*(list(map(_entry, records)) for records in (splits.train, splits.valid, splits.test)))


def repeats_among(train: Sequence[Entry], valid: Sequence[Entry], test: Sequence[Entry]) -> LabelledRepeats:
    """Count what stands twice in train, and what of valid and test stands in an earlier split."""
    firsts: dict[Key, dict[str, Entry]] = {}  # of each key and label
    for entry in train:
        firsts.setdefault(entry.key, {}).setdefault(entry.label, entry)
    several = [list(labels.values()) for labels in firsts.values() if len(labels) > 1]
    return LabelledRepeats(
        duplicates=len(train) - sum(map(len, firsts.values())),
        conflicts=len(several),
        conflict_examples=tuple(_conflict(*entries[:2]) for entries in several[:EXAMPLES]),
        leaks=tuple(_leak(*each) for each in earlier_splits(train, valid, test) if each[1] and each[3]),
    )


def _leak(split: str, entries: Sequence[Entry], earlier: str, before: Sequence[Entry]) -> LabelledLeak:
    known: dict[Key, set[str]] = {}
    for entry in before:
        known.setdefault(entry.key, set()).add(entry.label)
    loose = {entry.loose_key for entry in before}
    seen = [entry for entry in entries if entry.key in known]
    others = [entry for entry in entries if entry.key not in known]
    shared = sharing(others, before, lambda entry: entry.parts)
    alike = [entry for entry in others if entry.loose_key in loose and not entry.parts]
    return LabelledLeak(
        split,
        earlier,
        size=len(entries),
        records=len(seen),
        other_label=sum(entry.label not in known[entry.key] for entry in seen),
        alike=len(alike),
        examples=tuple(entry.place for entry in (seen or alike)[:EXAMPLES]),
        sharing=len(shared),
        sharing_examples=tuple(entry.place for entry in shared[:EXAMPLES]),
    )


def _conflict(first: Entry, second: Entry) -> Conflict:
    return Conflict(first.place, first.label, second.place, second.label)


def _entry(record: LabelledText) -> Entry:
    texts = input_texts(record)
    return Entry(labelled_key(record), texts, record.label, record.place, texts if len(texts) > 1 else ())
