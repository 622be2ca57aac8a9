"""`TaggedSplits`: tagged sentences to train on, to choose by and to be scored on; `split_tagged` deals one file."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from heed.data.dealing import GROUPED, Inputs, Parts, Shares, SplitRule, deal, deal_groups, how_dealt, how_grouped
from heed.data.entity_tags import EntityScheme
from heed.data.record_keys import input_texts
from heed.data.records import TaggedText
from heed.errors import DataError
from heed.files.quoting import first_of, quote

SHOWN = 5  # labels that a note names
SENTENCES = Inputs[TaggedText](lambda record: record.text, input_texts, "sentences", "texts", "the text")


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
    records: Sequence[TaggedText],
    scheme: EntityScheme | None,
    valid_share: float = 0.1,
    test_share: float = 0.1,
    rule: SplitRule = GROUPED,
) -> TaggedSplits:
    """Split sentences into training, validation and test set; the same sentence stays on one side.

    Those with a label that train lacks are moved there, with all others of the same text.
    """
    shares = Shares(valid_share, test_share)
    if rule.name == "by-record":
        parts = deal(records, SENTENCES.key, shares, (SENTENCES.records, SENTENCES.keys))
        missing = _missing(parts, scheme)
        note = how_dealt(parts, SENTENCES.of, SENTENCES.records, shares)
        divided = _with_every_label(parts, missing, scheme) if missing else parts
    else:
        assigned = deal_groups(records, SENTENCES, shares)
        parts = assigned.parts()
        missing = _missing(parts, scheme)
        note = how_grouped(assigned, SENTENCES, shares)
        divided = assigned.moved_to_train(lambda record: _has_any(record, missing, scheme)).parts()
    if not divided.valid:
        raise DataError(
            f"{len(parts.valid):,} sentence(s) fell to validation, and train lacks labels of theirs "
            f"({listed(missing)}): no validation set is left. Give more sentences, or a validation file (--valid)."
        )
    if missing:
        note += f" Sentences with labels too rare to fall to train ({listed(missing)}) were moved there."
    return TaggedSplits(divided.train, divided.valid, divided.test, scheme, "", note)


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


def _missing(parts: Parts[TaggedText], scheme: EntityScheme | None) -> set[str]:
    return _labels(parts.valid + parts.test, scheme) - _labels(parts.train, scheme)


def _has_any(record: TaggedText, labels: set[str], scheme: EntityScheme | None) -> bool:
    return not labels.isdisjoint(_labels([record], scheme))


def _with_every_label(parts: Parts[TaggedText], missing: set[str], scheme: EntityScheme | None) -> Parts[TaggedText]:
    def is_known(record: TaggedText) -> bool:
        return not _has_any(record, missing, scheme)

    moved = tuple(record for record in parts.valid + parts.test if not is_known(record))
    return Parts(parts.train + moved, tuple(filter(is_known, parts.valid)), tuple(filter(is_known, parts.test)))
