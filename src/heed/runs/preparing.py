"""What every new or resumed run goes through first: precision, threads, full paths, and the same data as before."""

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import Field, dataclass, replace
from typing import ClassVar, Protocol, TypeVar

from heed.data.leaks import TextRecord, shared_texts_note
from heed.errors import MachineError, RunError
from heed.machine import Bf16Probe, probe_bf16, set_threads
from heed.runs.data_settings import DataSettings
from heed.runs.folder import RunFolder
from heed.runs.strict_json import JSON
from heed.tokens.encoded import TokenCounts
from heed.training.settings import TrainingSettings


class AnySettings(Protocol):
    """What the settings of every task have."""

    __dataclass_fields__: ClassVar[dict[str, "Field[object]"]]

    @property
    def data(self) -> DataSettings:
        """Return where the examples come from."""

    @property
    def training(self) -> TrainingSettings:
        """Return how the model is trained."""


Settings = TypeVar("Settings", bound=AnySettings)


def made_whole(settings: Settings) -> Settings:
    """Return the settings with the number of threads, which are set, and full paths: a run may be resumed anywhere."""
    threads = set_up(settings.training)
    return replace(settings, data=_absolute(settings.data), training=replace(settings.training, threads=threads))


def set_up(training: TrainingSettings) -> int:
    """Make this process compute as the settings say; return how many threads it has."""
    check_precision(training.precision)
    return set_threads(training.threads)


def check_precision(precision: str) -> None:
    """Refuse bfloat16 where it would kill the process: some computers announce instructions that they do not have."""
    if precision != "bf16":
        return
    probe = probe_bf16()
    if not probe.works or probe.isa is not None:
        raise MachineError(f"training.precision is bf16, but here {probe.reason}. {_cure(probe)}")


@dataclass(frozen=True)
class Fingerprint:
    """What data is known again by: how many records, and a digest of all their texts in order."""

    records: int
    digest: str

    def facts(self) -> dict[str, JSON]:
        """Return it as `data.json` holds it."""
        return {"records": self.records, "fingerprint": self.digest}


def fingerprint(records: Iterable[Sequence[str]]) -> Fingerprint:
    """Return what the records are known again by."""
    digest, count = hashlib.sha256(), 0
    for texts in records:
        count += 1
        # Lengths first, so that no two ways to divide the same characters are alike.
        digest.update((" ".join(str(len(text)) for text in texts) + "\n").encode())
        digest.update("".join(f"{text}\n" for text in texts).encode())
    return Fingerprint(count, digest.hexdigest())


def check_same_data(folder: RunFolder, fingerprints: Mapping[str, Fingerprint]) -> None:
    """Refuse to go on when the training or validation data is no longer what the run began with."""
    learnt = {split: found for split, found in fingerprints.items() if split != "test"}
    split = changed_split(folder.read_data_facts(), learnt)
    if split is not None:
        raise RunError(
            f"The {split} data of {folder.path} has changed since the run began: it now has "
            f"{learnt[split].records:,} records with another fingerprint. Put the old files back, or begin a new run "
            f"with heed train."
        )


def changed_split(facts: Mapping[str, JSON], fingerprints: Mapping[str, Fingerprint]) -> str | None:
    """Return the first split whose fingerprint is not the one in `data.json`, or None."""
    for split, found in fingerprints.items():
        known = facts.get(split)
        if not isinstance(known, dict) or known.get("fingerprint") != found.digest:
            return split
    return None


def split_facts(fingerprints: Mapping[str, Fingerprint]) -> dict[str, JSON]:
    """Return what `data.json` says of each split; nothing of one that is empty."""
    return {split: found.facts() for split, found in fingerprints.items() if found.records}


def split_notes(data: DataSettings, train: Sequence[TextRecord], valid: Sequence[TextRecord]) -> tuple[str, ...]:
    """Return what a person should know who resumes a run whose data was split by the rule up to heed 0.5."""
    if data.split != "by-record" or data.valid:
        return ()
    why = (
        "this run was begun before heed 0.6 and resumes on its own split. Train again for a split in which records "
        "that share a text are on one side."
    )
    return tuple(filter(None, [shared_texts_note(train, valid, why)]))


def counted(counts: TokenCounts) -> dict[str, JSON]:
    """Return the counts as JSON."""
    return {"tokens": counts.tokens, "unknown": counts.unknown, "cut": counts.cut}


def _cure(probe: Bf16Probe) -> str:
    return (
        "Use float32." if probe.isa is None else f"Set ONEDNN_MAX_CPU_ISA={probe.isa} and run it again, or use float32."
    )


def _absolute(data: DataSettings) -> DataSettings:
    def full(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name if name.startswith("demo:") else os.path.abspath(name) for name in names)

    return replace(data, train=full(data.train), valid=full(data.valid), test=full(data.test))
