"""`RunCurves`: the numbers of a training for whoever draws them, few enough to send."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from heed.errors import HeedError
from heed.reporting.log_lines import evenly, read_log
from heed.reporting.progress import VALIDATED
from heed.runs.strict_json import JSON
from heed.serving.models import ServedRun
from heed.serving.refusals import without_paths

MOST_POINTS = 500  # of a curve; a screen shows no more
VALIDATION = f'"{VALIDATED}'.encode()  # what the line of a validation holds


@dataclass(frozen=True)
class RunCurves:
    """How a run was trained."""

    model: str
    task: str
    finished: bool
    settings: Mapping[str, object]  # of the model alone: those of the data hold paths
    points: tuple[Mapping[str, float], ...]  # numbers by their names, "step" among them; where validated, all are kept
    served: bool = True  # else it lies beside the runs that are
    problem: str | None = None  # what could not be read of it


def curves_of(run: ServedRun, served: bool = True) -> RunCurves:
    """Return how a run was trained; a log that is damaged is a problem of this run alone."""
    try:
        settings = run.folder.read_settings().get("model")
    except HeedError as problem:
        return RunCurves(run.name, run.task, False, {}, (), served, _told(str(problem), run))
    log = read_log(run.folder.metrics, MOST_POINTS // 2, VALIDATION)
    points = _thinned([_numbers(line) for line in log.lines])
    own = settings if isinstance(settings, Mapping) else {}
    told = _told(log.faults[0], run) if log.faults else None
    return RunCurves(run.name, run.task, run.folder.is_finished, own, points, served, told)


def _thinned(points: Sequence[Mapping[str, float]]) -> tuple[Mapping[str, float], ...]:
    """Return at most so many points: half of them of validations, which have the most numbers, and others evenly."""
    fullest = max(map(len, points), default=0)
    validated = [place for place, point in enumerate(points) if len(point) == fullest]
    half = MOST_POINTS // 2
    places = {*evenly(validated, half), *evenly(range(len(points)), half)} if len(points) > MOST_POINTS else None
    return tuple(point for place, point in enumerate(points) if places is None or place in places)


def _told(sentence: str, run: ServedRun) -> str:
    return without_paths(sentence, [(run.folder.path, run.name)])


def _numbers(line: Mapping[str, JSON]) -> dict[str, float]:
    return {
        name: value for name, value in line.items() if isinstance(value, int | float) and not isinstance(value, bool)
    }
