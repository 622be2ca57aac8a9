"""The data of a run of `classify` or `pair`: splits and targets, the same for all models."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from heed.data.labelled_corpora import load_labelled
from heed.data.labelled_splits import LabelledSplits
from heed.data.labels import guess_outcome
from heed.data.records import LabelledText
from heed.runs.folder import RunFolder
from heed.runs.held_out import HeldOut, held_out
from heed.runs.label_notes import balance
from heed.runs.preparing import Fingerprint, check_same_data, counted, fingerprint, split_facts
from heed.runs.settings import ClassificationSettings
from heed.runs.strict_json import JSON
from heed.tasks.targets import Classes, Scale, Targets, find_targets
from heed.tokens.encoded import TokenCounts


@dataclass(frozen=True)
class LabelledData:
    """Splits, and what is to be said of their texts."""

    splits: LabelledSplits
    targets: Targets


def load_data(settings: ClassificationSettings) -> LabelledData:
    """Return the data that the settings name."""
    data, texts = settings.data, 2 if settings.task == "pair" else 1
    splits = load_labelled(data.train, data.valid, data.test, data.columns or None, texts, settings.outcome, data.rule)
    outcome = settings.outcome
    if outcome is None:
        outcome = guess_outcome(splits.train) if settings.task == "pair" else "label"
    return LabelledData(splits, find_targets(splits.train, outcome))


def check_same_records(folder: RunFolder, data: LabelledData) -> None:
    """Refuse to go on with other data than the run began with."""
    check_same_data(folder, _fingerprints(data.splits))


def read_test(folder: RunFolder, settings: ClassificationSettings) -> HeldOut[LabelledText]:
    """Return the records that the run set aside for testing."""
    splits = load_data(settings).splits
    return held_out(folder, splits.test, _fingerprints(splits))


def data_facts(data: LabelledData, counts: TokenCounts) -> dict[str, JSON]:
    """Return what `data.json` says."""
    splits = data.splits
    return {
        "origin": splits.origin,
        "note": splits.note,
        **split_facts(_fingerprints(splits)),
        "tokens": counted(counts),
        "empty": splits.empty,
    }


def data_notes(data: LabelledData) -> Iterator[str]:
    """Yield what a person should know of the data before training starts."""
    splits = data.splits
    yield f"{len(splits.train):,} training and {len(splits.valid):,} validation texts from {splits.origin}"
    if splits.note:
        yield splits.note
    match data.targets:
        case Scale(mean, spread):
            yield f"The labels are numbers: mean {mean:.3g}, spread {spread:.3g}."
        case Classes():
            yield from balance(splits.train)


def _fingerprints(splits: LabelledSplits) -> dict[str, Fingerprint]:
    named = {"train": splits.train, "valid": splits.valid, "test": splits.test}
    return {name: labelled_fingerprint(records) for name, records in named.items()}


def labelled_fingerprint(records: Sequence[LabelledText]) -> Fingerprint:
    """Return the fingerprint of labelled texts, as `data.json` has it."""
    return fingerprint((*record.texts, record.label) for record in records)
