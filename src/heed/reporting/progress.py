"""`Progress`: how a training went, in few enough points to draw, read from the log of a run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from heed.reporting.log_lines import evenly, read_log
from heed.reporting.numbers import count_of, number_of
from heed.runs.folder import RunFolder
from heed.runs.strict_json import JSON

MOST_POINTS = 500  # of a curve; a page shows no more
VALIDATED = "valid."  # what the names of validation scores begin with


@dataclass(frozen=True)
class Point:
    """Numbers of one step by their names; what was not finite is not among them."""

    step: int
    values: Mapping[str, float]


@dataclass(frozen=True)
class Progress:
    """How far a training came, and its curves."""

    steps: int = 0
    epochs: int = 0
    seconds: float = 0.0
    training: tuple[Point, ...] = ()
    validations: tuple[Point, ...] = ()
    faults: tuple[str, ...] = ()  # what could not be read, and where a loss was not a number


def read_progress(folder: RunFolder, best_step: int | None) -> Progress:
    """Return how the training of a run went; its last validation and that of the best step are always there."""
    log = read_log(folder.metrics, MOST_POINTS, f'"{VALIDATED}'.encode())
    lines = [line for line in log.lines if count_of(line.get("step")) is not None]
    if not lines:
        return Progress(faults=log.faults)
    validated = [line for line in lines if any(name.startswith(VALIDATED) for name in line)]
    last = lines[-1]
    return Progress(
        steps=count_of(last.get("step")) or 0,
        epochs=(count_of(last.get("epoch")) or 0) + 1,
        seconds=number_of(last.get("seconds")) or 0.0,
        training=tuple(_point(line, ("loss", "learning_rate")) for line in _thinned(lines, None)),
        validations=tuple(map(_validation, _thinned(validated, best_step))),
        faults=(*log.faults, *_astray(lines)),
    )


def _thinned(lines: Sequence[Mapping[str, JSON]], best_step: int | None) -> list[Mapping[str, JSON]]:
    best = [place for place, line in enumerate(lines) if line.get("step") == best_step]
    return [lines[place] for place in sorted({*evenly(range(len(lines)), MOST_POINTS - 1), *best[-1:]})]


def _point(line: Mapping[str, JSON], names: Sequence[str]) -> Point:
    found = ((name, number_of(line.get(name))) for name in names)
    return Point(count_of(line.get("step")) or 0, {name: value for name, value in found if value is not None})


def _validation(line: Mapping[str, JSON]) -> Point:
    point = _point(line, [name for name in line if name.startswith(VALIDATED)])
    return Point(point.step, {name.removeprefix(VALIDATED): value for name, value in point.values.items()})


def _astray(lines: Sequence[Mapping[str, JSON]]) -> list[str]:
    """Return where a loss was not a number, which the log writes as null."""
    lost = [line.get("step") for line in lines if "loss" in line and line["loss"] is None]
    return [f"The loss was not a number at step {lost[0]}: the training went astray."] if lost else []


def names_of(points: Sequence[Point]) -> list[str]:
    """Return the names of all numbers in the points, in the order in which they come."""
    return list(dict.fromkeys(chain.from_iterable(point.values for point in points)))
