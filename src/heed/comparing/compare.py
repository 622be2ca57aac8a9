"""`compare`: train every trial of a plan, measure it, and go on where it stopped; what comes is told event by event."""

import time
from collections import deque
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

from heed.comparing.inputs import Inputs, TestData, check_same_inputs, inputs_from
from heed.comparing.measuring import measure
from heed.comparing.results import TrialResult
from heed.comparing.store import ComparisonFolder, check_run
from heed.comparing.trials import Plan, Trial
from heed.errors import UsageError
from heed.machine import Ranks
from heed.reporting.following import reported
from heed.runs.folder import is_run, open_run
from heed.runs.session import begun_run, stopped_run
from heed.training.reports import StepReport


@dataclass(frozen=True)
class Began:
    """A trial begins to train, or goes on."""

    trial: Trial
    number: int  # of `trials`, from 1
    trials: int
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Stepped:
    """A trial took a step."""

    trial: Trial
    report: StepReport


@dataclass(frozen=True)
class Measured:
    """A trial has been measured on the test data."""

    trial: Trial
    result: TrialResult
    earlier: bool  # by a call before this one: its result was in the folder


@dataclass(frozen=True)
class Distrusted:
    """A result in the folder is not reused, for it does not say what it was measured on: the run is measured again."""

    trial: Trial


@dataclass(frozen=True)
class Waited:
    """All that is left is in the hands of other processes."""

    trials: tuple[Trial, ...]


Event = Began | Stepped | Measured | Distrusted | Waited

WAIT = 1.0  # seconds between two looks at what other processes do


def check_one_process() -> None:
    """Refuse to compare under torchrun: its processes would train one trial together, and each trial is one process."""
    ranks = Ranks.from_environment()
    if ranks.world_size > 1:
        raise UsageError(
            f"A comparison trains each model in one process; torchrun started {ranks.world_size}. Run heed without it, "
            f"and give the same command in a second terminal to share the work."
        )


def compare(plan: Plan, folder: ComparisonFolder, test: TestData) -> Generator[Event]:
    """Train and measure all trials. Closing the iterator early saves a checkpoint; calling again goes on from it.

    Several processes may share a folder: each takes the next trial that no other has, and in the end waits for the
    others, so that all of them see every result. A trial whose process stopped is gone on with by whoever is left.
    """
    check_one_process()
    trials = list(plan.trials())
    left = deque(enumerate(trials, start=1))
    refused = 0  # trials in a row that others have
    while left:
        number, trial = left.popleft()
        with folder.claimed(trial) as ours:
            if ours:
                refused = 0
                yield from _result(trial, folder, test, number, len(trials))
            else:
                refused += 1
                left.append((number, trial))
        if refused and refused >= len(left):
            refused = 0
            yield Waited(tuple(trial for _, trial in left))
            time.sleep(WAIT)


def _result(trial: Trial, folder: ComparisonFolder, test: TestData, number: int, trials: int) -> Iterator[Event]:
    """Train and measure one trial, as far as that has not been done."""
    known, inputs = folder.result(trial), test.inputs[trial.contender.name]
    if known is not None and known.inputs is not None:
        check_same_inputs(inputs_from(known.inputs), inputs, folder.path)
        yield Measured(trial, known, earlier=True)
        return
    if known is not None:
        yield Distrusted(trial)
    trained_now = not _is_finished(folder.run_path(trial))
    yield from _train(trial, folder, inputs, number, trials)
    result = measure(trial, open_run(folder.run_path(trial)), test, trained_now)
    folder.write_result(trial, result)
    yield Measured(trial, result, earlier=False)


def _train(trial: Trial, folder: ComparisonFolder, inputs: Inputs, number: int, trials: int) -> Iterator[Event]:
    path = folder.run_path(trial)
    if _is_finished(path):
        check_run(folder, trial, inputs)
        return
    with stopped_run(path) if is_run(path) else begun_run(trial.settings, path) as run:
        yield Began(trial, number, trials, (*trial.contender.notes, *run.notes))
        reports = reported(run)
        try:
            for report in reports:
                yield Stepped(trial, report)
        finally:
            reports.close()


def _is_finished(path: Path) -> bool:
    return is_run(path) and open_run(path).is_finished
