"""Training followed to its end: samples are kept on the way, and in the end there is a report of the run."""

from collections.abc import Callable, Generator

from heed.reporting.facts import gather
from heed.reporting.page import write_report
from heed.reporting.samples import keep_sample
from heed.runs.run import Run
from heed.training.ranks import from_first_rank
from heed.training.reports import StepReport

Watch = Callable[[StepReport], bool]  # told of each step; False ends the run after a checkpoint


def follow(run: Run, watch: Watch | None) -> None:
    """Train to the end, or until `watch` says False; a checkpoint is saved and a report written either way."""
    reports = reported(run)
    try:
        for report in reports:
            go_on = watch is None or watch(report)
            # The first rank decides for all: one that left alone would leave the others waiting for its gradients.
            if not all(from_first_rank([go_on], run.ranks)):
                break
    finally:
        reports.close()


def reported(run: Run) -> Generator[StepReport]:
    """Train; pass each report on. When training ends, or the iterator is closed early, the run's page is written."""
    # A run that came to its end before stays as it is; other ranks than the first never write.
    if not run.ranks.is_first or run.folder.is_finished:
        yield from run.reports()
        return
    run.folder.rewind_samples(run.reached.step)
    reports = run.reports()
    try:
        for report in reports:
            if report.validation is not None:
                keep_sample(run.folder, report.step, report.validation.sample)
            yield report
    except GeneratorExit:
        reports.close()  # saves a checkpoint, of which the page tells
        write_report(run.folder, gather(run.folder, ours=True))
        raise
    write_report(run.folder, gather(run.folder, ours=True))
