"""How far a run is, from 0 to 1: by steps, epochs or minutes; and when to validate."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from heed.training.settings import TrainingSettings

LARGEST_SHARE = 0.25  # of the minutes of a run that validations may take
CLOCKS = ("seconds", "validation_seconds", "last_validation_seconds")  # facts of a snapshot that no run repeats


@dataclass(frozen=True)
class Position:
    """Where a run stands. `batch` is the next one in the order of `epoch`."""

    step: int = 0
    epoch: int = 0
    batch: int = 0
    seconds: float = 0.0  # spent on this run so far, in all its sessions


def progress(settings: TrainingSettings, position: Position, batches_in_epoch: int) -> float:
    """Return the share of the run that is done."""
    if settings.steps is not None:
        return position.step / settings.steps
    if settings.epochs is not None:
        return (position.epoch + position.batch / batches_in_epoch) / settings.epochs
    assert settings.minutes is not None, "a run is given its limit before it starts"
    return position.seconds / (60 * settings.minutes)


def validation_due(before: float, after: float, validations: int) -> bool:
    """Tell whether a mark k / validations lies between two progresses; the end of the run is always one."""
    return int(before * validations + 1e-9) < int(after * validations + 1e-9) or (before < 1 <= after)


@dataclass(frozen=True)
class Validating:
    """Seconds that validations have taken."""

    all: float = 0.0
    last: float = 0.0

    def and_one(self, seconds: float) -> "Validating":
        """Return this after one more."""
        return Validating(self.all + seconds, seconds)

    def facts(self) -> dict[str, float]:
        """Return it as a snapshot holds it."""
        return {"validation_seconds": self.all, "last_validation_seconds": self.last}

    @classmethod
    def of(cls, facts: Mapping[str, float | int]) -> Self:
        """Return what a snapshot says; before heed 0.6 it said nothing, which counts as no time."""
        return cls(facts.get("validation_seconds", 0.0), facts.get("last_validation_seconds", 0.0))


def affordable(settings: TrainingSettings, seconds: float, validating: Validating) -> bool:
    """Tell whether a run so many seconds old has time for one more validation, as long as the last, before its end's.

    Those who give steps or epochs get every validation: what such a run does must not depend on its machine's speed.
    """
    if settings.minutes is None:
        return True
    keeps_to_share = validating.all + validating.last <= LARGEST_SHARE * seconds
    # Just before the end it would tell little more than the one there, and take the time of the last steps.
    return keeps_to_share and 2 * validating.last <= 60 * settings.minutes - seconds
