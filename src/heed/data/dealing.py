"""`split_records`: one set of records as training, validation and test set, in which no two share an input.

Records that share an input (or a value of the `--group` column) are one group, and a group stays on one side. The hash
of a key decides which, so the split is the same everywhere and data added later hardly changes it.
"""

import dataclasses
import hashlib
import math
from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeVar

from heed.data.grouping import connected_groups
from heed.data.record_keys import composed
from heed.errors import DataError, UsageError
from heed.files.quoting import quote

SplitName = Literal["grouped", "by-record"]
Side = Literal["train", "valid", "test"]
SIDES: tuple[Side, ...] = ("train", "valid", "test")
SLACK = 0.05  # share of a side's wanted size by which groups may miss it before some of them are moved


class Grouped(Protocol):
    """A record that may carry the value of a group column."""

    @property
    def group(self) -> str | None:
        """Return the value, or None where no column was asked for."""
        ...


T = TypeVar("T")
G = TypeVar("G", bound=Grouped)


@dataclass(frozen=True)
class SplitRule:
    """How records are split that have no validation file of their own."""

    group: str | None = None  # the column whose values stay on one side each; None: records that share an input
    name: SplitName = "grouped"  # "by-record" is the rule up to heed 0.5, for runs that were begun with it


GROUPED = SplitRule()


@dataclass(frozen=True)
class Parts(Generic[T]):
    """Records dealt to three sides, each in the order of the file."""

    train: tuple[T, ...]
    valid: tuple[T, ...]
    test: tuple[T, ...]


@dataclass(frozen=True)
class Dealt(Generic[T]):
    """Records on three sides, and the sentences that say how they got there."""

    parts: Parts[T]
    note: str


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


@dataclass(frozen=True)
class Inputs(Generic[T]):
    """What decides the side of a record, and what sentences call it."""

    key: Callable[[T], str]  # its hash decides
    links: Callable[[T], Sequence[str]]  # records that have one of these in common are one group
    records: str  # "records"
    keys: str  # "texts"
    of: str  # "the text"


@dataclass(frozen=True)
class Assigned(Generic[T]):
    """Records in groups, and the side of each group."""

    records: Sequence[T]
    groups: "array[int]"  # of each record
    sides: Mapping[int, Side]  # of each group

    def parts(self) -> Parts[T]:
        """Return the records of each side in the order of the file."""
        dealt: dict[Side, list[T]] = {side: [] for side in SIDES}
        for record, group in zip(self.records, self.groups, strict=True):
            dealt[self.sides[group]].append(record)
        return Parts(*(tuple(dealt[side]) for side in SIDES))

    def moved_to_train(self, is_moved: Callable[[T], bool]) -> "Assigned[T]":
        """Return the same with the groups of some records in train, each as a whole."""
        moved = {group for record, group in zip(self.records, self.groups, strict=True) if is_moved(record)}
        return dataclasses.replace(self, sides={**self.sides, **dict.fromkeys(moved, SIDES[0])})


def split_records(records: Sequence[T], inputs: Inputs[T], shares: Shares, rule: SplitRule) -> Dealt[T]:
    """Return the records on three sides; those that share an input stay on one."""
    if rule.name == "by-record":
        parts = deal(records, inputs.key, shares, (inputs.records, inputs.keys))
        return Dealt(parts, how_dealt(parts, inputs.of, inputs.records, shares))
    assigned = deal_groups(records, inputs, shares)
    return Dealt(assigned.parts(), how_grouped(assigned, inputs, shares))


def deal_groups(records: Sequence[T], inputs: Inputs[T], shares: Shares) -> Assigned[T]:
    """Put records into groups and groups on sides; refuse records of which none would be left for a side."""
    groups = connected_groups(map(inputs.links, records))
    sizes, points = Counter(groups), _points(records, groups, inputs.key)
    sides = _balanced({group: _side(point, shares) for group, point in points.items()}, sizes, points, shares)
    if not {"train", "valid"} <= set(sides.values()):
        alone = len(sizes) == len(records)
        what = f"different {inputs.keys}" if alone else f"group(s) by shared {inputs.keys}"
        found = f"{len(records):,} {inputs.records} {'with' if alone else 'in'} {len(sizes):,} {what}"
        raise DataError(_too_few(found, "train" in sides.values(), shares.valid, alone))
    return Assigned(records, groups, sides)


def grouped_by(inputs: Inputs[G], rule: SplitRule) -> Inputs[G]:
    """Return the inputs with the value of the group column in place of the texts, where the rule names one."""
    if rule.group is None:
        return inputs
    name = quote(rule.group)
    return Inputs(_group_of, lambda record: (_group_of(record),), inputs.records, f"values of {name}", f"column {name}")


def deal(records: Sequence[T], key: Callable[[T], str], shares: Shares, nouns: tuple[str, str]) -> Parts[T]:
    """Deal records one by one by the hash of their key, as heed did up to version 0.5; runs begun then resume so.

    `nouns` are what a message calls the records and their keys, such as "pairs" and "sources".
    """
    dealt: dict[Side, list[T]] = {side: [] for side in SIDES}
    for record in records:
        dealt[_side(point_of(key(record)), shares)].append(record)
    if not dealt["train"] or not dealt["valid"]:
        different = len({composed(key(record)) for record in records})
        found = f"{len(records):,} {nouns[0]} with {different:,} different {nouns[1]}"
        raise DataError(_too_few(found, bool(dealt["train"]), shares.valid))
    return Parts(*(tuple(dealt[side]) for side in SIDES))


def how_dealt(parts: Parts[T], of: str, noun: str, shares: Shares) -> str:
    """Return the sentence that says how the records were split."""
    test = f", {len(parts.test):,} test" if shares.test else ""
    counts = f"{len(parts.train):,} training, {len(parts.valid):,} validation{test} {noun}"
    return f"Split by the hash of {of}: {counts}."


def how_grouped(assigned: Assigned[T], inputs: Inputs[T], shares: Shares) -> str:
    """Return the sentences that say how groups were split, and which group made the sides uneven."""
    parts, sizes = assigned.parts(), Counter(assigned.groups)
    sentences = [how_dealt(parts, inputs.of, inputs.records, shares)]
    largest, total = max(sizes.values()), len(assigned.records)
    if largest > 1:
        sentences.append(
            f"They are in {len(sizes):,} groups by shared {inputs.keys}, the largest of {largest:,}; no group is split."
        )
    for side, name, share in (("valid", "validation", shares.valid), ("test", "test", shares.test)):
        size: int = len(getattr(parts, side))
        if largest > 1 and abs(size - share * total) > _slack(share * total):
            sentences.append(
                f"The {name} set has {size / total:.1%} of the {inputs.records} instead of {share:.0%}, for groups are "
                f"too large (the largest has {largest:,} of {total:,}): give files of your own (--valid, --test), or "
                f"another column to group by (--group)."
            )
    return " ".join(sentences)


def point_of(key: str) -> float:
    """Return where from 0 to 1 a key falls: always at the same place, and keys evenly over all."""
    digest = hashlib.sha256(composed(key).encode("utf-8")).digest()
    return int.from_bytes(digest[:6], "big") / 2**48


def _side(point: float, shares: Shares) -> Side:
    return "valid" if point < shares.valid else "test" if point < shares.valid + shares.test else "train"


def _points(records: Sequence[T], groups: Sequence[int], key: Callable[[T], str]) -> dict[int, float]:
    """Return where each group falls: where one of its keys does, whatever the order of the file."""
    chosen: dict[int, tuple[bytes, str]] = {}
    for record, group in zip(records, groups, strict=True):
        own = composed(key(record))
        # The smallest by another hash than that of `point_of`: the smallest point would favour validation.
        candidate = hashlib.blake2b(own.encode("utf-8"), digest_size=16).digest(), own
        if group not in chosen or candidate < chosen[group]:
            chosen[group] = candidate
    return {group: point_of(own) for group, (_, own) in chosen.items()}


def _balanced(
    sides: dict[int, Side], sizes: Mapping[int, int], points: Mapping[int, float], shares: Shares
) -> dict[int, Side]:
    """Return the sides with groups moved to and from train until validation and test have about their shares.

    Records that are groups of their own stay where their hash puts them: there only chance makes sides uneven.
    """
    movable = [group for group, size in sizes.items() if size > 1]
    total = sum(sizes.values())
    judging: tuple[tuple[Side, float], ...] = (("valid", shares.valid), ("test", shares.test))
    for side, share in judging:
        wanted = share * total
        filled = _filled(sides, side, sizes)
        if share and (abs(filled - wanted) > _slack(wanted) or not filled):
            moving = _Moving(side, wanted, sizes, points)
            # Once with the groups as they fell, once without those larger than the side: either may be nearer.
            kept = moving.evened(sides, movable)
            spared = moving.evened(moving.without_large(sides), movable)
            sides = min(kept, spared, key=moving.distance)
    return sides


@dataclass(frozen=True)
class _Moving:
    """What it takes to bring one side nearer to the size that is wanted, by moving groups to and from train."""

    side: Side
    wanted: float
    sizes: Mapping[int, int]
    points: Mapping[int, float]

    def distance(self, sides: Mapping[int, Side]) -> float:
        """Return by how many records the side misses what is wanted."""
        return abs(_filled(sides, self.side, self.sizes) - self.wanted)

    def without_large(self, sides: Mapping[int, Side]) -> dict[int, Side]:
        """Return the sides with all groups in train that are larger than the side should be."""
        return {
            group: "train" if its == self.side and self.sizes[group] > self.wanted else its
            for group, its in sides.items()
        }

    def evened(self, sides: Mapping[int, Side], movable: Sequence[int]) -> dict[int, Side]:
        """Return the sides with groups moved as long as each brings the side nearer to what is wanted."""
        result = dict(sides)
        filled = _filled(result, self.side, self.sizes)
        left = _filled(result, "train", self.sizes)
        for group in sorted(movable, key=lambda each: (-self.sizes[each], -self.points[each])):
            size = self.sizes[group]
            if result[group] == self.side and abs(filled - size - self.wanted) < abs(filled - self.wanted):
                result[group] = "train"
                filled, left = filled - size, left + size
        for group in sorted(movable, key=self.points.__getitem__):
            size = self.sizes[group]
            is_nearer = abs(filled + size - self.wanted) < abs(filled - self.wanted) or not filled
            fits = filled + size <= self.wanted + _slack(self.wanted) and size < left
            if result[group] == "train" and is_nearer and fits:
                result[group] = self.side
                filled, left = filled + size, left - size
        return result


def _filled(sides: Mapping[int, Side], side: Side, sizes: Mapping[int, int]) -> int:
    return sum(sizes[group] for group, its in sides.items() if its == side)


def _slack(wanted: float) -> float:
    return max(SLACK * wanted, 3 * math.sqrt(wanted))  # chance alone seldom misses by more than three deviations


def _group_of(record: Grouped) -> str:
    assert record.group is not None, "a reader that was asked for a group column gives every record its value"
    return composed(record.group)


def _too_few(found: str, has_train: bool, valid_share: float, alone: bool = True) -> str:
    needed = math.ceil(3 / valid_share)  # with n keys none is drawn with chance (1 - share)^n, here under 5 %
    side = f"validation ({valid_share:.0%})" if has_train else "training"
    return (
        f"{found} are too few to split: none fell to {side}. "
        f"Give {needed:,} {'or more' if alone else 'groups or more, another column to group by (--group)'}, or a file "
        f"of its own for validation (--valid)."
    )
