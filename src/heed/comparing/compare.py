"""`compare`: train every trial of a plan, measure it, and go on where it stopped; what comes is told event by event."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass

from heed.comparing.measuring import TestData, measure
from heed.comparing.results import TrialResult
from heed.comparing.store import ComparisonFolder
from heed.comparing.trials import Plan, Trial
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


Event = Began | Stepped | Measured


def compare(plan: Plan, folder: ComparisonFolder, test: TestData) -> Generator[Event]:
    """Train and measure all trials. Closing the iterator early saves a checkpoint; calling again goes on from it."""
    trials = list(plan.trials())
    for number, trial in enumerate(trials, start=1):
        known = folder.result(trial)
        if known is not None:
            yield Measured(trial, known, earlier=True)
            continue
        yield from _train(trial, folder, number, len(trials))
        result = measure(trial, open_run(folder.run_path(trial)), test)
        folder.write_result(trial, result)
        yield Measured(trial, result, earlier=False)


def _train(trial: Trial, folder: ComparisonFolder, number: int, trials: int) -> Iterator[Event]:
    path = folder.run_path(trial)
    if is_run(path) and open_run(path).is_finished:
        return
    with stopped_run(path) if is_run(path) else begun_run(trial.settings, path) as run:
        yield Began(trial, number, trials, run.notes)
        reports = run.reports()
        try:
            for report in reports:
                yield Stepped(trial, report)
        finally:
            reports.close()
