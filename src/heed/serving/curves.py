"""`RunCurves`: the numbers of a training for whoever draws them, few enough to send."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from heed.errors import HeedError
from heed.runs.strict_json import JSON
from heed.serving.models import ServedRun
from heed.serving.refusals import without_paths

MOST_POINTS = 500  # of a curve; a screen shows no more


@dataclass(frozen=True)
class RunCurves:
    """How a run was trained."""

    model: str
    task: str
    finished: bool
    settings: Mapping[str, object]  # of the model alone: those of the data hold paths
    points: tuple[Mapping[str, float], ...]  # numbers by their names, "step" among them; where validated, all are kept
    served: bool = True  # else it lies beside the runs that are
    problem: str | None = None  # why there are no points


def curves_of(run: ServedRun, served: bool = True) -> RunCurves:
    """Return how a run was trained; a log that is damaged is a problem of this run alone."""
    try:
        settings = run.folder.read_settings().get("model")
        points = [_numbers(line) for line in run.folder.read_metrics()]
        own = settings if isinstance(settings, Mapping) else {}
        return RunCurves(run.name, run.task, run.folder.is_finished, own, tuple(thinned(points)), served)
    except HeedError as problem:
        told = without_paths(str(problem), [(run.folder.path, run.name)])
        return RunCurves(run.name, run.task, False, {}, (), served, told)


def thinned(points: Sequence[Mapping[str, float]]) -> list[Mapping[str, float]]:
    """Return at most so many points: those with the most numbers, which are of validations, and others evenly."""
    if len(points) <= MOST_POINTS:
        return list(points)
    fullest = max(map(len, points))
    chosen = [place for place, point in enumerate(points) if len(point) == fullest]
    chosen = chosen if len(chosen) <= MOST_POINTS // 2 else _evenly(chosen, MOST_POINTS // 2)
    places = {*chosen, *_evenly(range(len(points)), MOST_POINTS - len(chosen))}
    return [points[place] for place in sorted(places)]


def _evenly(places: Sequence[int], count: int) -> list[int]:
    """Return so many of the places, the first and the last among them."""
    last = len(places) - 1
    return [places[round(number * last / max(1, count - 1))] for number in range(count)]


def _numbers(line: Mapping[str, JSON]) -> dict[str, float]:
    return {
        name: value for name, value in line.items() if isinstance(value, int | float) and not isinstance(value, bool)
    }
