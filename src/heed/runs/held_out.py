"""`held_out`: the test split that a run set aside when it began, once its data is known to be the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from heed.errors import RunError, UsageError
from heed.runs.folder import RunFolder
from heed.runs.preparing import Fingerprint, changed_split

Record = TypeVar("Record")


@dataclass(frozen=True)
class HeldOut(Generic[Record]):
    """The examples of a run's own test split."""

    records: Sequence[Record]
    note: str  # a sentence on what could not be verified; "" where everything was


def held_out(folder: RunFolder, records: Sequence[Record], fingerprints: Mapping[str, Fingerprint]) -> HeldOut[Record]:
    """Return the test split; refuse data of which a split has changed, and a run that has no test split."""
    facts = folder.read_data_facts()
    split = changed_split(facts, {name: each for name, each in fingerprints.items() if name != "test" or name in facts})
    if split is not None:
        raise RunError(
            f"The {split} data of {folder.path} has changed since the run began: it now has "
            f"{fingerprints[split].records:,} records with another fingerprint, so its test split is no longer the one "
            f"that was set aside. Restore the files, or name the test data: heed evaluate {folder.path} FILE."
        )
    if not records:
        raise UsageError(no_test_split(folder))
    if "test" in facts:
        return HeldOut(records, "")
    return HeldOut(
        records,
        "The run was made before 0.6.0 and kept no fingerprint of its test split: whether that is still the same "
        "cannot be verified.",
    )


def no_test_split(folder: RunFolder) -> str:
    """Return the sentence that says so, and what to do."""
    return (
        f"{folder.path} has no test split of its own: none was set aside when it was trained. "
        f"Name the data to score it on: heed evaluate {folder.path} FILE. The next run has one with --test FILE."
    )
