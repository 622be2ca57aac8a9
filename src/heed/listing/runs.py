"""`find_runs`: the runs and comparisons below a folder, a line each; one that is damaged is a line too."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal, assert_never

from heed.comparing.outcome import Outcome, is_comparison, read_outcome
from heed.errors import HeedError, RunError
from heed.reporting.facts import State, end_of, model_in, state_of
from heed.reporting.log_lines import read_log
from heed.reporting.numbers import count_of, number_of
from heed.reporting.scores import BestScore, best_score
from heed.runs.folder import RunFolder, was_begun

DEEPEST = 2  # folders below the given one: runs/classify-1 and runs/study/classify-1
MOST_ENTRIES = 10_000  # of one folder that are looked at
MOST_FILES = 100_000  # of one run whose sizes are counted
Order = Literal["time", "score", "name"]


@dataclass(frozen=True)
class RunLine:
    """A run, or a whole comparison, in a line."""

    name: str  # its path below the folder
    path: Path
    task: str
    model: str
    ended: float | None  # seconds since 1970
    steps: int
    seconds: float
    best: BestScore | None  # on the validation data; of a comparison, that of the winner on the test data
    size: int  # bytes on disk
    state: State | Literal["unreadable"]
    problem: str | None = None  # why it cannot be read
    comparison: Outcome | None = None


def find_runs(folder: Path, task: str | None = None, order: Order = "time") -> list[RunLine]:
    """Return what stands below a folder, of one task or of all."""
    if not folder.is_dir():
        raise RunError(
            f"There is no folder {folder}. Make a first run with heed train translate, or name the folder of your "
            f"runs: heed runs FOLDER."
        )
    lines = [_line(path, folder) for path in _found(folder, DEEPEST)]
    return sorted((line for line in lines if task in (None, line.task)), key=lambda line: _key(line, order))


def _found(folder: Path, deep: int) -> Iterator[Path]:
    """Yield the runs and comparisons below a folder; what is inside one of them belongs to it."""
    for child in _folders(folder):
        if was_begun(child) or is_comparison(child):
            yield child
        elif deep > 1:
            yield from _found(child, deep - 1)


def _folders(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in islice(entries, MOST_ENTRIES) if not entry.name.startswith("."))
    except OSError:
        return []  # of another user: nothing in it can be told
    return [folder / name for name in names if (folder / name).is_dir()]


def _line(path: Path, root: Path) -> RunLine:
    name = str(path.relative_to(root))
    try:
        return _comparison_line(path, name) if is_comparison(path) else _run_line(path, name)
    except (HeedError, OSError) as problem:
        why = str(problem) if isinstance(problem, HeedError) else f"{path} cannot be read: {problem.strerror}."
        return RunLine(name, path, "", "", RunFolder(path).ended, 0, 0.0, None, _size(path), "unreadable", why)


def _run_line(path: Path, name: str) -> RunLine:
    folder = RunFolder(path)
    folder.check_small_files()
    settings, state = folder.read_settings(), state_of(folder, end_of(folder))
    log = read_log(folder.metrics, most=2).lines
    last = log[-1] if log else {}
    return RunLine(
        name=name,
        path=path,
        task=str(settings.get("task", "")),
        model=model_in(settings),
        ended=folder.ended or folder.began,
        steps=count_of(last.get("step")) or 0,
        seconds=number_of(last.get("seconds")) or 0.0,
        best=best_score(folder.read_best_facts()),
        size=_size(path),
        state=state,
    )


def _comparison_line(path: Path, name: str) -> RunLine:
    outcome = read_outcome(path)
    return RunLine(
        name=name,
        path=path,
        task=outcome.task,
        model=f"{outcome.contenders} models, {outcome.seeds} seeds",
        ended=outcome.ended,
        steps=0,
        seconds=0.0,
        best=best_score({"step": 0, "score": outcome.score, **outcome.values}),
        size=_size(path),
        state="finished" if outcome.winner is not None else "stopped",
        comparison=outcome,
    )


def _size(path: Path) -> int:
    """Return how many bytes the files below a folder have; links are not followed."""
    files = (os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names)
    return sum(map(_file_size, islice(files, MOST_FILES)))


def _file_size(file: str) -> int:
    try:
        return os.lstat(file).st_size
    except OSError:  # gone since it was listed
        return 0


def _key(line: RunLine, order: Order) -> tuple[str | float, ...]:
    """Return what lines are sorted by; only scores of one name on one task can be told better from worse."""
    match order:
        case "name":
            return (line.name,)
        case "score":
            best = line.best
            where = (line.task, "", 0.0) if best is None else (line.task, best.name, -best.score)
            return (best is None, *where, line.name)
        case "time":
            return (-(line.ended or 0.0), line.name)
        case _:
            assert_never(order)
