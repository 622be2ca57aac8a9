"""Runs as the lines of a table for a terminal."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from heed.cli.duration import spoken
from heed.comparing.outcome import Outcome
from heed.files.quoting import printable, shortened
from heed.listing.runs import RunLine
from heed.reporting.numbers import size_text, spelled
from heed.reporting.wording import title_of

TITLES = ("run", "task", "model", "trained", "steps", "time", "best on validation", "size", "state")
LONGEST_NAME = 40  # characters
NUMBERS = (4, 5, 7)  # columns that stand to the right


def table_lines(runs: Sequence[RunLine]) -> Iterator[str]:
    """Yield a line for each run below the titles, and after them why some cannot be read."""
    if not runs:
        return
    yield from _aligned([TITLES, *map(_cells, runs)])
    for run in runs:
        if run.problem is not None:
            yield f"{printable(run.name)} is unreadable: {printable(run.problem)}"


def _cells(run: RunLine) -> tuple[str, ...]:
    trained = "" if run.ended is None else datetime.fromtimestamp(run.ended).strftime("%Y-%m-%d %H:%M")
    return (
        shortened(printable(run.name), LONGEST_NAME),
        printable(run.task),
        printable(run.model),
        trained,
        f"{run.steps:,}" if run.steps else "",
        spoken(run.seconds) if run.steps else "",
        _score(run),
        size_text(run.size),
        run.state,
    )


def _score(run: RunLine) -> str:
    if run.comparison is not None:
        return _winner(run.comparison, run)
    return "" if run.best is None else f"{title_of(run.best.name)} {spelled(run.best.value)}"


def _winner(outcome: Outcome, run: RunLine) -> str:
    if outcome.winner is None:
        return ""
    name = shortened(printable(outcome.winner), LONGEST_NAME)
    return f"{name} wins" if run.best is None else f"{name}: {title_of(run.best.name)} {spelled(run.best.value)} (test)"


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.rjust(width) if number in NUMBERS else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()
