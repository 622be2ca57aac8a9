"""`LabelledSplits`: labelled texts to train on, to choose by and to be scored on; `split_labelled` deals one file.

`deal_labelled` and `check_labels` do the same for labelled records of every kind.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from heed.data.dealing import (
    GROUPED,
    Dealt,
    Inputs,
    Parts,
    Shares,
    SplitRule,
    deal,
    deal_groups,
    grouped_by,
    how_dealt,
    how_grouped,
    split_records,
)
from heed.data.labels import Labelled, Outcome, known_labels, sorted_labels
from heed.data.record_keys import composed, input_texts
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


def split_labelled(
    records: Sequence[LabelledText],
    valid_share: float = 0.1,
    test_share: float = 0.1,
    outcome: Outcome = "label",
    rule: SplitRule = GROUPED,
) -> LabelledSplits:
    """Split records into training, validation and test set; records that share a text stay on one side.

    Of pairs either text counts: a premise with three hypotheses is on one side with all three. A label that train lacks
    is moved there.
    """
    shares, inputs = Shares(valid_share, test_share), grouped_by(TEXTS, rule)
    divide = split_records if outcome == "number" else deal_labelled
    dealt: Dealt[LabelledText] = divide(records, inputs, shares, rule)
    return LabelledSplits(dealt.parts.train, dealt.parts.valid, dealt.parts.test, "", dealt.note)


def deal_labelled(records: Sequence[T], inputs: Inputs[T], shares: Shares, rule: SplitRule) -> Dealt[T]:
    """Return the records on three sides; groups with a label that train lacks are moved there as a whole."""
    if rule.name == "by-record":
        return _deal_by_record(records, inputs, shares)
    assigned = deal_groups(records, inputs, shares)
    missing = _missing(assigned.parts())
    if missing:
        before, assigned = assigned.parts(), assigned.moved_to_train(lambda record: record.label in missing)
        _refuse_no_valid(before, assigned.parts())
    note = " ".join(filter(None, [how_grouped(assigned, inputs, shares), _missing_note(missing)]))
    return Dealt(assigned.parts(), note)


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


TEXTS = Inputs[LabelledText](_key, input_texts, "records", "texts", "the text")


def _deal_by_record(records: Sequence[T], inputs: Inputs[T], shares: Shares) -> Dealt[T]:
    """Return what heed made of the records up to version 0.5; a record is moved to train, not its group."""
    parts = deal(records, inputs.key, shares, (inputs.records, inputs.keys))
    missing = _missing(parts)
    if missing:
        before, parts = parts, _with_every_label(parts, missing)
        _refuse_no_valid(before, parts)
    note = " ".join(filter(None, [how_dealt(parts, inputs.of, inputs.records, shares), _missing_note(missing)]))
    return Dealt(parts, note)


def _missing(parts: Parts[T]) -> set[str]:
    return _labels(parts.valid + parts.test) - _labels(parts.train)


def _missing_note(labels: set[str]) -> str:
    if not labels:
        return ""
    missing = sorted_labels(labels)
    shown = first_of(list(map(quote, missing)), SHOWN)
    return (
        f"{len(missing):,} label(s) ({shown}) are so rare that no record of theirs fell to train: "
        f"all their records were moved there, so valid and test have none."
    )


def _with_every_label(parts: Parts[T], missing: set[str]) -> Parts[T]:
    moved = tuple(record for record in parts.valid + parts.test if record.label in missing)
    valid = tuple(record for record in parts.valid if record.label not in missing)
    test = tuple(record for record in parts.test if record.label not in missing)
    return Parts(parts.train + moved, valid, test)


def _refuse_no_valid(before: Parts[T], after: Parts[T]) -> None:
    if not after.valid:
        raise DataError(
            f"{len(before.valid):,} record(s) fell to validation, and train has none with their label(s): nothing is "
            f"left to choose by. Give more records, or a file of its own for validation (--valid)."
        )


def _labels(records: Iterable[Labelled]) -> set[str]:
    return {record.label for record in records}
