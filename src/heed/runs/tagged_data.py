"""The data of a run of `tag`: splits and the tags that a model can say."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from heed.data.entity_tags import kinds_of
from heed.data.records import TaggedText
from heed.data.tagged_corpora import load_tagged
from heed.data.tagged_splits import TaggedSplits
from heed.runs.folder import RunFolder
from heed.runs.held_out import HeldOut, held_out
from heed.runs.preparing import Fingerprint, check_same_data, counted, fingerprint, split_facts
from heed.runs.strict_json import JSON
from heed.runs.tag_settings import TagSettings
from heed.tasks.known_tags import KnownTags, find_tags
from heed.tokens.encoded import TokenCounts

SHOWN = 10  # kinds that a note lists


@dataclass(frozen=True)
class TaggedData:
    """Splits, and what is to be said of their words."""

    splits: TaggedSplits
    known: KnownTags


def load_tagged_data(settings: TagSettings) -> TaggedData:
    """Return the data that the settings name."""
    data = settings.data
    splits = load_tagged(data.train, data.valid, data.test, data.columns or None, data.rule)
    return TaggedData(splits, find_tags(splits.train, splits.scheme))


def check_same_sentences(folder: RunFolder, data: TaggedData) -> None:
    """Refuse to go on with other data than the run began with."""
    check_same_data(folder, _fingerprints(data.splits))


def read_test(folder: RunFolder, settings: TagSettings) -> HeldOut[TaggedText]:
    """Return the sentences that the run set aside for testing."""
    splits = load_tagged_data(settings).splits
    return held_out(folder, splits.test, _fingerprints(splits))


def tagged_facts(data: TaggedData, counts: TokenCounts, cut_words: int) -> dict[str, JSON]:
    """Return what `data.json` says."""
    splits = data.splits
    return {
        "origin": splits.origin,
        "note": splits.note,
        "scheme": splits.scheme or "plain",
        **split_facts(_fingerprints(splits)),
        "tokens": counted(counts),
        "cut_words": cut_words,
    }


def tagged_notes(data: TaggedData) -> Iterator[str]:
    """Yield what a person should know of the data before training starts."""
    splits = data.splits
    yield f"{len(splits.train):,} training and {len(splits.valid):,} validation sentences from {splits.origin}"
    yield splits.note
    if data.known.plain:
        counts = Counter(tag for record in splits.train for tag in record.tags)
        yield f"{len(counts)} labels of words: {_shares(counts)}"
    else:
        counts = Counter(kinds_of(record.tags for record in splits.train))
        yield f"{counts.total():,} entities of {len(counts)} kinds: {_shares(counts)}"


def _shares(counts: Counter[str]) -> str:
    shown = ", ".join(f"{name} {count / counts.total():.1%}" for name, count in counts.most_common(SHOWN))
    return shown + (f" and {len(counts) - SHOWN} more" if len(counts) > SHOWN else "")


def _fingerprints(splits: TaggedSplits) -> dict[str, Fingerprint]:
    def of(records: Sequence[TaggedText]) -> Fingerprint:
        return fingerprint((*record.words, *record.tags) for record in records)

    return {"train": of(splits.train), "valid": of(splits.valid), "test": of(splits.test)}
