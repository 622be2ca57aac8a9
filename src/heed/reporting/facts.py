"""`RunFacts`: all that a run's folder says of it, as plain values; what cannot be read is told, never guessed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar

from heed.errors import HeedError
from heed.reporting.data_facts import DataFacts, data_facts
from heed.reporting.progress import Progress, read_progress
from heed.reporting.samples import SampleAt, read_samples
from heed.reporting.scores import BestScore, best_score
from heed.reporting.settings_list import Setting, list_settings
from heed.runs.folder import RunFolder
from heed.runs.strict_json import JSON

State = Literal["finished", "stopped", "in progress", "imported"]
T = TypeVar("T")
_NOTHING: Mapping[str, JSON] = {}


@dataclass(frozen=True)
class RunFacts:
    """A run."""

    path: str  # as it was given
    name: str
    task: str
    model: str
    state: State
    began: float | None  # seconds since 1970, by the dates of the run's files
    ended: float | None
    best: BestScore | None
    progress: Progress
    samples: tuple[SampleAt, ...]
    data: DataFacts
    settings: tuple[Setting, ...]
    machine: Mapping[str, str]  # heed, torch, threads, processor: as the newest checkpoint recorded them
    origin: str | None  # of a model that was trained elsewhere
    bytes_to_predict: int
    faults: tuple[str, ...]  # what could not be read, in sentences


def gather(folder: RunFolder, ours: bool = False) -> RunFacts:
    """Return what a folder says of its run; `ours` is that this very process holds it and has just stopped training."""
    faults: list[str] = []
    folder.check_small_files()
    settings = _tried(folder.read_settings, _NOTHING, faults)
    finished = _tried(lambda: end_of(folder), _NOTHING, faults)
    best = best_score(_tried(folder.read_best_facts, _NOTHING, faults))
    progress = read_progress(folder, None if best is None else best.step)
    samples, listed = read_samples(folder), list_settings(settings)
    stored = _tried(folder.read_data_facts, _NOTHING, faults)
    machine = _tried(folder.newest_facts, _NOTHING, faults)
    origin = finished.get("origin")
    return RunFacts(
        path=str(folder.path),
        name=folder.path.absolute().name,
        task=str(settings.get("task", "unknown task")),
        model=model_in(settings),
        state=state_of(folder, finished, ours),
        began=folder.began,
        ended=folder.ended,
        best=best,
        progress=progress,
        samples=samples.samples,
        data=data_facts(stored, settings),
        settings=listed.settings,
        machine={name: str(machine[name]) for name in ("heed", "torch", "threads", "processor") if name in machine},
        origin=None if origin is None else str(origin),
        bytes_to_predict=_tried(folder.bytes_to_predict, 0, faults),
        faults=(*faults, *progress.faults, *samples.faults, *([listed.fault] if listed.fault and settings else [])),
    )


def model_in(settings: Mapping[str, JSON]) -> str:
    """Return what the settings call their model, those of another version too."""
    model = settings.get("model")
    named = (model.get("cell") or model.get("kind")) if isinstance(model, Mapping) else None
    return named if isinstance(named, str) else "unknown model"


def end_of(folder: RunFolder) -> Mapping[str, JSON]:
    """Return how training came to its end, or nothing where it has not."""
    return folder.read_finished() if folder.is_finished else {}


def state_of(folder: RunFolder, finished: Mapping[str, JSON], ours: bool = False) -> State:
    """Return what has become of a run that ended so."""
    if finished:
        return "imported" if "origin" in finished else "finished"
    return "in progress" if folder.is_held and not ours else "stopped"


def _tried(read: Callable[[], T], otherwise: T, faults: list[str]) -> T:
    try:
        return read()
    except HeedError as problem:
        faults.append(str(problem))
        return otherwise
