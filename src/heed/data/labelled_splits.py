"""`LabelledSplits`: labelled texts to train on, to choose by and to be scored on; `split_labelled` deals one file.

`deal_labelled` and `check_labels` do the same for labelled records of every kind.
"""

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from heed.data.dealing import Parts, Shares, deal, how_dealt
from heed.data.labels import Labelled, Outcome, known_labels, sorted_labels
from heed.data.record_keys import composed
from heed.data.records import LabelledText
from heed.errors import DataError
from heed.files.quoting import first_of, quote

SHOWN = 5  # labels that a note names

T = TypeVar("T", bound=Labelled)


@dataclass(frozen=True)
class LabelledSplits:
    """Labelled texts to train on, to choose by and to be scored on, and where they come from."""

    train: Sequence[LabelledText]
    valid: Sequence[LabelledText]
    test: Sequence[LabelledText]
    origin: str  # the files, or the demo
    note: str  # sentences for the user: which columns, how it was split, what was left out
    empty: int = 0  # records that were left out because a text or the label was empty
    empty_places: tuple[str, ...] = ()  # "path:line" of the first of them


class LabelledParts(Protocol):
    """Labelled records of any kind on three sides."""

    @property
    def train(self) -> Sequence[Labelled]:
        """Return the records to train on."""
        ...

    @property
    def valid(self) -> Sequence[Labelled]:
        """Return the records to choose by."""
        ...

    @property
    def test(self) -> Sequence[Labelled]:
        """Return the records to be scored on."""
        ...

    @property
    def origin(self) -> str:
        """Return the files, or the demo."""
        ...


@dataclass(frozen=True)
class KeyNames:
    """What sentences call the records that are dealt and the keys whose hash deals them."""

    records: str  # "records"
    keys: str  # "texts"
    key: str  # "the text"


@dataclass(frozen=True)
class Dealt(Generic[T]):
    """Labelled records on three sides, and the sentences that say how they got there."""

    parts: Parts[T]
    note: str


def split_labelled(
    records: Sequence[LabelledText],
    valid_share: float = 0.1,
    test_share: float = 0.1,
    outcome: Outcome = "label",
) -> LabelledSplits:
    """Deal records to train, valid and test by the hash of their texts alone; a label that train lacks is moved there.

    The same text never stands on two sides, nor do two texts in either order.
    """
    shares, names = Shares(valid_share, test_share), KeyNames("records", "texts", "the text")
    if outcome == "number":
        parts = deal(records, _key, shares, (names.records, names.keys))
        return LabelledSplits(parts.train, parts.valid, parts.test, "", how_dealt(parts, names.key, "records", shares))
    dealt = deal_labelled(records, _key, shares, names)
    return LabelledSplits(dealt.parts.train, dealt.parts.valid, dealt.parts.test, "", dealt.note)


def deal_labelled(records: Sequence[T], key: Callable[[T], str], shares: Shares, names: KeyNames) -> Dealt[T]:
    """Deal records by the hash of their key; those with a label that train lacks are moved there."""
    parts = deal(records, key, shares, (names.records, names.keys))
    moved = _missing_note(parts)
    if moved:
        parts = _with_every_label(parts)
    return Dealt(parts, " ".join(filter(None, [how_dealt(parts, names.key, names.records, shares), moved])))


def check_labels(splits: LabelledParts) -> None:
    """Refuse training with one class alone, and a label of valid or test that training does not have."""
    known = _labels(splits.train)
    names = sorted_labels(known)
    if len(names) < 2:
        raise DataError(
            f"{splits.origin or 'The data'}: all {len(splits.train):,} training records have the label "
            f"{quote(names[0])}. A classifier needs two or more classes: add records with other labels."
        )
    for part, records in (("valid", splits.valid), ("test", splits.test)):
        for record in records:
            if record.label not in known:
                raise DataError(
                    f"{record.place}: the label {quote(record.label)} stands in {part} and never in train. "
                    f"{known_labels(record.label, names)}"
                )


def _key(record: LabelledText) -> str:
    # In either order, for "a, b" and "b, a" are nearly one. No text holds a NUL, so no two keys run together.
    return "\0".join(sorted(map(composed, record.texts)))


def _missing_note(parts: Parts[T]) -> str:
    missing = sorted_labels(_labels(parts.valid + parts.test) - _labels(parts.train))
    if not missing:
        return ""
    shown = first_of(list(map(quote, missing)), SHOWN)
    return (
        f"{len(missing):,} label(s) ({shown}) are so rare that no record of theirs fell to train: "
        f"all their records were moved there, so valid and test have none."
    )


def _with_every_label(parts: Parts[T]) -> Parts[T]:
    known = _labels(parts.train)
    moved = tuple(record for record in parts.valid + parts.test if record.label not in known)
    valid = tuple(record for record in parts.valid if record.label in known)
    test = tuple(record for record in parts.test if record.label in known)
    if not valid:
        raise DataError(
            f"{len(parts.valid):,} record(s) fell to validation, and train has none with their label(s): nothing is "
            f"left to choose by. Give more records, or a file of its own for validation (--valid)."
        )
    return dataclasses.replace(parts, train=parts.train + moved, valid=valid, test=test)


def _labels(records: Iterable[Labelled]) -> set[str]:
    return {record.label for record in records}
