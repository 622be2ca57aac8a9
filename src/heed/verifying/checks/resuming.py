"""Resumed = uninterrupted: a short real run that is stopped and taken up again ends with the same bits."""

import tempfile
from dataclasses import replace
from itertools import islice
from pathlib import Path

import torch
from torch import Tensor

from heed.machine import Ranks
from heed.runs.folder import RunFolder, create
from heed.runs.recording import go_back, save
from heed.runs.run import TrainerRun
from heed.runs.settings import RunSettings
from heed.training.progress import CLOCKS
from heed.training.settings import TrainingSettings
from heed.training.trainer import Snapshot, TrainableTask, Trainer
from heed.verifying.checking import SAME_BITS, Check
from heed.verifying.findings import Difference, Measured, NotChecked, Unfit, apart
from heed.verifying.subject import Subject

STEPS = 4  # of the whole run
STOPPED = 2  # after so many of them
LAST = 3 * STEPS  # where the schedule would end: the run leaves before, and so before it validates
TOKENS = 256  # of a batch at most, so that a few records are several batches


def compare(subject: Subject) -> Measured | Unfit | NotChecked:
    """Compare all that a run has come to after some steps with what it comes to if it is stopped half-way."""
    if not subject.learns_in_steps:
        return Unfit("the model is made in one go: there is nothing to go on with")
    if subject.lacking is not None:
        return subject.lacking
    settings = _settings(subject.settings)
    with tempfile.TemporaryDirectory() as folder:
        whole = _train(_begin(subject, settings, Path(folder) / "whole"), STEPS)
        stopped = _begin(subject, settings, Path(folder) / "stopped")
        _train(stopped, STOPPED)
        resumed = _train(_take_up(subject, settings, stopped.folder), STEPS - STOPPED)
    note = f"{STEPS} steps, stopped after {STOPPED}, {way_of(settings.training)}"
    return Measured(_differences(whole, resumed), SAME_BITS, note=note)


def _begin(subject: Subject, settings: RunSettings, path: Path) -> TrainerRun:
    run = _assembled(subject.task(settings), settings, create(path))
    save(run.folder, run.trainer)
    return run


def _take_up(subject: Subject, settings: RunSettings, folder: RunFolder) -> TrainerRun:
    """Return the run from its checkpoint; its model begins with other weights, to see that they are replaced."""
    assert subject.material.build is not None
    run = _assembled(subject.material.build(settings), settings, folder)
    go_back(folder, run.trainer)
    return run


def _assembled(task: TrainableTask, settings: RunSettings, folder: RunFolder) -> TrainerRun:
    return TrainerRun(folder, settings, task, Trainer(task, settings.training, Ranks()), {"task": settings.task}, ())


def _train(run: TrainerRun, steps: int) -> Snapshot:
    """Train so many steps and leave as Ctrl-C does: with a checkpoint."""
    reports = run.reports()
    list(islice(reports, steps))
    reports.close()
    return run.trainer.snapshot()


def way_of(training: TrainingSettings) -> str:
    """Return in words what, of a run's own settings, the last bit of a step depends on."""
    threads = torch.get_num_threads()
    compiled = ", compiled" if training.compile else ""
    return f"in {training.precision}{compiled}, with {threads} thread{'s' if threads > 1 else ''}"


def _settings(settings: RunSettings) -> RunSettings:
    own = settings.training
    training = replace(
        own,
        steps=LAST,
        epochs=None,
        minutes=None,
        tokens_per_batch=min(own.tokens_per_batch, TOKENS),
        validations=1,
        patience=None,
        checkpoint_every=1000,
    )
    return replace(settings, training=training)


def _differences(whole: Snapshot, resumed: Snapshot) -> list[Difference]:
    """Return how far apart each tensor and each number of two runs is; a clock never repeats itself."""
    ours, theirs = _tensors(whole), _tensors(resumed)
    found = [Difference(name, _apart(theirs.get(name), tensor)) for name, tensor in ours.items()]
    facts = {name: value for name, value in whole.facts.items() if name not in CLOCKS}
    found += [Difference(name, abs(resumed.facts.get(name, float("nan")) - value)) for name, value in facts.items()]
    return found


def _tensors(snapshot: Snapshot) -> dict[str, Tensor]:
    return {f"{part} {name}": each for part, own in snapshot.tensors.items() for name, each in own.items()}


def _apart(actual: Tensor | None, expected: Tensor) -> float:
    if actual is None:
        return float("inf")
    return 0.0 if torch.equal(actual, expected) else max(apart(actual, expected), 5e-324)


CHECK = Check("resuming", "a run stopped and resumed = the run uninterrupted, bit for bit", compare)
