"""`TaggedSplits`: tagged sentences to train on, to choose by and to be scored on; `split_tagged` deals one file."""

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from heed.data.dealing import Parts, Shares, deal, how_dealt
from heed.data.entity_tags import EntityScheme
from heed.data.records import TaggedText
from heed.errors import DataError
from heed.files.quoting import first_of, quote

SHOWN = 5  # labels that a note names


@dataclass(frozen=True)
class TaggedSplits:
    """Tagged sentences to train on, to choose by and to be scored on, and where they come from."""

    train: Sequence[TaggedText]
    valid: Sequence[TaggedText]
    test: Sequence[TaggedText]
    scheme: EntityScheme | None  # of the training file, as it was read; None: plain labels
    origin: str  # the files, or the demo
    note: str  # sentences for the user: which columns, which scheme, how it was split


def split_tagged(
    records: Sequence[TaggedText], scheme: EntityScheme | None, valid_share: float = 0.1, test_share: float = 0.1
) -> TaggedSplits:
    """Deal sentences by the hash of their text alone; those with a label that train lacks are moved there."""
    shares = Shares(valid_share, test_share)
    parts = deal(records, lambda record: record.text, shares, ("sentences", "texts"))
    missing = _labels(parts.valid + parts.test, scheme) - _labels(parts.train, scheme)
    note = how_dealt(parts, "the text", "sentences", shares)
    if missing:
        parts = _with_every_label(parts, missing, scheme)
        note += f" Sentences with labels too rare to fall to train ({listed(missing)}) were moved there."
    return TaggedSplits(parts.train, parts.valid, parts.test, scheme, "", note)


def check_tags(splits: TaggedSplits) -> None:
    """Refuse training without an entity, or with one plain label alone."""
    known = _labels(splits.train, splits.scheme)
    if splits.scheme is not None and not known:
        raise DataError(
            f"{splits.origin or 'The data'}: none of the {len(splits.train):,} training sentences has an entity; all "
            f"tags are O. Give sentences in which entities are marked."
        )
    if splits.scheme is None and len(known) < 2:
        raise DataError(
            f"{splits.origin or 'The data'}: every word of train has the tag {quote(min(known))}. "
            f"There is nothing to learn: check the column of the tags."
        )


def unseen_labels(splits: TaggedSplits) -> dict[str, set[str]]:
    """Return by split the labels that train does not have: no model can find them, and they count as missed."""
    known = _labels(splits.train, splits.scheme)
    found = {split: _labels(getattr(splits, split), splits.scheme) - known for split in ("valid", "test")}
    return {split: labels for split, labels in found.items() if labels}


def label_of(tag: str, scheme: EntityScheme | None) -> str | None:
    """Return what a tag calls a word: the kind of its entity (None outside), or the plain tag itself."""
    if scheme is None:
        return tag
    return None if tag == "O" else tag.partition("-")[2]


def listed(labels: Iterable[str]) -> str:
    """Return the first labels for a message."""
    return first_of([quote(name, 30) for name in sorted(labels)], SHOWN)


def _labels(records: Iterable[TaggedText], scheme: EntityScheme | None) -> set[str]:
    tags = {tag for record in records for tag in record.tags}
    return {label for label in (label_of(tag, scheme) for tag in tags) if label is not None}


def _with_every_label(parts: Parts[TaggedText], missing: set[str], scheme: EntityScheme | None) -> Parts[TaggedText]:
    def is_known(record: TaggedText) -> bool:
        return missing.isdisjoint(_labels([record], scheme))

    moved = tuple(record for record in parts.valid + parts.test if not is_known(record))
    valid, test = tuple(filter(is_known, parts.valid)), tuple(filter(is_known, parts.test))
    if not valid:
        raise DataError(
            f"{len(parts.valid):,} sentence(s) fell to validation, and train lacks labels of theirs "
            f"({listed(missing)}): nothing is left to choose by. Give more sentences, or a validation file (--valid)."
        )
    return dataclasses.replace(parts, train=parts.train + moved, valid=valid, test=test)
