"""How far a run is, from 0 to 1: by steps, epochs or minutes; and when to validate."""

from dataclasses import dataclass

from heed.training.settings import TrainingSettings


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
