"""What of validation and test was seen before: records that share an input, or a group, with an earlier split."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from heed.data.record_keys import input_texts
from heed.data.records import LabelledText, Question, TaggedText, TextPair

EXAMPLES = 10
BY_GROUPS_ALONE = "with --group the column alone decides on which side a record is."
NAMES = {"train": "train", "valid": "validation", "test": "test"}  # as sentences call the splits

T = TypeVar("T")
TextRecord = TypeVar("TextRecord", TextPair, LabelledText, Question, TaggedText)


class GroupedRecord(Protocol):
    """A record with a place, and maybe the value of a group column."""

    @property
    def place(self) -> str:
        """Return where it stands."""
        ...

    @property
    def group(self) -> str | None:
        """Return the value, or None where no column was asked for."""
        ...


class GroupedSplits(Protocol):
    """Such records on three sides."""

    @property
    def train(self) -> Sequence[GroupedRecord]:
        """Return the training set."""
        ...

    @property
    def valid(self) -> Sequence[GroupedRecord]:
        """Return the validation set."""
        ...

    @property
    def test(self) -> Sequence[GroupedRecord]:
        """Return the test set."""
        ...


@dataclass(frozen=True)
class GroupLeak:
    """How much of a split is of groups that an earlier one has as well."""

    split: str  # "valid" or "test"
    earlier: str  # "train", or "valid"
    size: int  # records of the split
    records: int  # of these are of such groups
    groups: int
    examples: tuple[str, ...]  # places of the first

    @property
    def sentence(self) -> str:
        """Return what it means."""
        split, earlier = NAMES[self.split], NAMES[self.earlier]
        share = f"{self.records:,} of the {self.size:,} {split} records ({self.records / self.size:.1%})"
        shown = ", ".join(place for place in self.examples[:3] if place)
        where = f" ({shown}{', …' if self.records > 3 else ''})" if shown else ""
        return (
            f"{share} are of {self.groups:,} group(s) that {earlier} has too{where}, so {split} scores are inflated. "
            f"Put each group on one side."
        )


def earlier_splits(train: T, valid: T, test: T) -> Iterator[tuple[str, T, str, T]]:
    """Yield each split that is judged by with each one that comes before it, and their names."""
    yield "valid", valid, "train", train
    yield "test", test, "train", train
    yield "test", test, "valid", valid


def sharing(records: Iterable[T], earlier: Iterable[T], links: Callable[[T], Iterable[str]]) -> list[T]:
    """Return the records that share one of their links with an earlier one."""
    seen = {link for record in earlier for link in links(record)}
    return [record for record in records if not seen.isdisjoint(links(record))]


def find_group_leaks(splits: GroupedSplits) -> tuple[GroupLeak, ...]:
    """Return where groups stand on two sides; nothing where no group column was named."""
    found = (_group_leak(*each) for each in earlier_splits(splits.train, splits.valid, splits.test))
    return tuple(leak for leak in found if leak.records)


def group_notes(splits: GroupedSplits) -> Iterator[str]:
    """Yield a sentence for each split with groups that an earlier one has as well."""
    return (leak.sentence for leak in find_group_leaks(splits))


def shared_texts_note(train: Sequence[TextRecord], valid: Sequence[TextRecord], why: str) -> str:
    """Return the sentence on validation records that share a text with train, or none; `why` says how that came."""
    seen = sharing(valid, train, input_texts)
    if not seen:
        return ""
    share = f"{len(seen):,} of the {len(valid):,} validation records ({len(seen) / len(valid):.1%})"
    return f"{share} share a text with train, so validation scores are inflated: {why}"


def _group_leak(
    split: str, records: Sequence[GroupedRecord], earlier: str, before: Sequence[GroupedRecord]
) -> GroupLeak:
    known = {record.group for record in before} - {None}
    seen = [record for record in records if record.group in known]
    groups = {record.group for record in seen}
    places = tuple(record.place for record in seen[:EXAMPLES])
    return GroupLeak(split, earlier, len(records), len(seen), len(groups), places)
