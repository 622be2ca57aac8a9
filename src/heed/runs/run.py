"""What every run offers, whatever its task: reports while it trains, and how far it came."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Protocol

from heed.machine import Ranks
from heed.runs.folder import RunFolder
from heed.runs.recording import recorded
from heed.runs.settings import RunSettings
from heed.runs.strict_json import JSON
from heed.training.reports import StepReport
from heed.training.trainer import TrainableTask, Trainer


@dataclass(frozen=True)
class Reached:
    """How far a run came."""

    step: int
    seconds: float
    finished: bool
    has_best: bool  # there are weights to use


def reached_in_one_go(folder: RunFolder) -> tuple[Reached, str]:
    """Return how far a run without checkpoints came, to its end or nowhere, and what a person should know of it."""
    if not folder.is_finished:
        return Reached(0, 0.0, finished=False, has_best=False), "beginning again"
    step = folder.read_finished().get("step")
    reached = Reached(step if isinstance(step, int) else 0, 0.0, finished=True, has_best=True)
    return reached, "the run came to its end: nothing is left to train"


class Run(Protocol):
    """A run that is ready to train."""

    @property
    def folder(self) -> RunFolder:
        """Return where it is written."""
        ...

    @property
    def settings(self) -> RunSettings:
        """Return all that decides what it becomes."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what a person should know before it starts."""
        ...

    @property
    def ranks(self) -> Ranks:
        """Return which of how many processes this is."""
        ...

    @property
    def reached(self) -> Reached:
        """Return how far it has come."""
        ...

    def reports(self) -> Generator[StepReport]:
        """Train; each step is recorded in the folder, then passed on."""
        ...


@dataclass(frozen=True)
class TrainerRun:
    """A run of a model that learns step by step."""

    folder: RunFolder
    settings: RunSettings
    task: TrainableTask
    trainer: Trainer
    facts: dict[str, JSON]  # of the best weights: which task and vocabulary they belong to
    notes: tuple[str, ...]

    @property
    def ranks(self) -> Ranks:
        """Return which of how many processes this is."""
        return self.trainer.ranks

    @property
    def reached(self) -> Reached:
        """Return how far it has come."""
        trainer = self.trainer
        position = trainer.position
        return Reached(position.step, position.seconds, trainer.finished, trainer.best_score > float("-inf"))

    def reports(self) -> Generator[StepReport]:
        """Train; each step is recorded in the folder, then passed on."""
        return recorded(self.folder, self.trainer, self.facts)
