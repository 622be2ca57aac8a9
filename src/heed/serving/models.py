"""`Models`: the runs that are served, loaded one after the other in a thread while the server answers already."""

import logging
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from heed.errors import HeedError, UsageError
from heed.prediction.classifier import Classifier
from heed.prediction.loading import Predictor, kind_of, load_predictor
from heed.prediction.picture_classifier import PictureClassifier
from heed.runs.folder import RunFolder, open_run
from heed.serving.asking import options_of, reads
from heed.serving.memory import set_aside
from heed.serving.refusals import Refusal, without_paths
from heed.tasks.targets import Classes

log = logging.getLogger("heed.serving")

State = Literal["loading", "ready", "failed"]
MOST_LABELS = 1_000  # told of a model
RETRY = 2  # seconds, while a model is loaded
# What the models of a task read, for those that are not loaded yet; of the other tasks it is one text.
READS = {"pair": "pair", "answer": "pair", "image": "picture", "caption": "picture"}


@dataclass(frozen=True)
class ServedRun:
    """A run and what clients call it."""

    name: str
    folder: RunFolder
    task: str


@dataclass(frozen=True)
class ModelFacts:
    """What a client should know of a model; of one that is not loaded yet, less."""

    name: str
    task: str
    state: State
    kind: str | None = None  # in words: "a translator"
    reads: str = "text"  # or "pair", or "picture"
    options: tuple[str, ...] = ()  # of a request that mean something to it
    labels: tuple[str, ...] = ()  # that it can say, the first thousand
    problem: str | None = None  # why it could not be loaded


class Models:
    """The runs that are served, by their names."""

    def __init__(self, paths: Sequence[Path]) -> None:
        if not paths:
            raise UsageError("There are 0 runs to serve. Give at least one run's folder.")
        self.runs = tuple(_named(paths))
        self._loaded: dict[str, Predictor] = {}
        self._problems: dict[str, str] = {}
        self._thread = threading.Thread(target=self._load_all, name="heed-loading", daemon=True)

    def start(self) -> None:
        """Begin to load."""
        self._thread.start()

    def wait(self, seconds: float) -> bool:
        """Wait until all are loaded, or could not be; return whether that has come."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def get(self, name: str) -> Predictor:
        """Return a model that is loaded; refuse one that is not."""
        if name in self._loaded:
            return self._loaded[name]
        if name in self._problems:
            raise Refusal(503, "failed", f"{name} could not be loaded: {self._problems[name]}")
        self.run(name)
        raise Refusal(503, "loading", f"{name} is being loaded. Try again in {RETRY} s.", RETRY)

    def run(self, name: str) -> ServedRun:
        """Return the run of that name, loaded or not; refuse a name that there is none of."""
        for run in self.runs:
            if run.name == name:
                return run
        served = ", ".join(run.name for run in self.runs)
        raise Refusal(404, "unknown", without_paths(f"There is no model {name[:80]!r}. There is: {served}."))

    def facts(self) -> list[ModelFacts]:
        """Return what is known of each model."""
        return [self._facts(run) for run in self.runs]

    def _facts(self, run: ServedRun) -> ModelFacts:
        problem, expected = self._problems.get(run.name), READS.get(run.task, "text")
        if problem is not None:
            return ModelFacts(run.name, run.task, "failed", reads=expected, problem=problem)
        predictor = self._loaded.get(run.name)
        if predictor is None:
            return ModelFacts(run.name, run.task, "loading", reads=expected)
        known = options_of(predictor)
        return ModelFacts(run.name, run.task, "ready", kind_of(predictor), reads(predictor), known, _labels(predictor))

    def _load_all(self) -> None:
        for run in self.runs:
            try:
                self._loaded[run.name] = load_predictor(run.folder.path)
            except HeedError as problem:
                self._problems[run.name] = without_paths(str(problem), [(run.folder.path, run.name)])
            except Exception as problem:  # the other runs are to be served all the same
                log.error("a fault of ours while loading %s", run.name, exc_info=True)
                self._problems[run.name] = f"a fault of ours ({type(problem).__name__})."
            set_aside()


def _named(paths: Sequence[Path]) -> Iterable[ServedRun]:
    """Yield the runs; of several of one name the second is called name-2."""
    taken: set[str] = set()
    for path in paths:
        folder = open_run(path)
        base = name = path.resolve().name or "run"
        number = 1
        while name in taken:
            number += 1
            name = f"{base}-{number}"
        taken.add(name)
        yield ServedRun(name, folder, str(folder.read_settings().get("task")))


def _labels(predictor: Predictor) -> tuple[str, ...]:
    if isinstance(predictor, Classifier | PictureClassifier) and isinstance(predictor.targets, Classes):
        return tuple(predictor.targets.labels.names[:MOST_LABELS])
    return ()
