"""The functions behind the commands: `train`, `resume`, `load`, `evaluate`, `check`, `doctor`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from heed.data.checks import PairReport, check_pairs
from heed.data.corpora import load_pairs
from heed.data.pairs import PairFile, read_pairs
from heed.errors import UsageError
from heed.machine import MachineReport, Ranks
from heed.machine import doctor as examine_machine
from heed.prediction.translator import Evaluation, Translator, load_translator
from heed.runs import translation_run
from heed.runs.defaults import TASKS, free_folder, resolve
from heed.runs.folder import RunFolder, check_free, create, open_run
from heed.runs.translation_run import TranslationRun
from heed.tasks.translating import Search
from heed.training.ranks import from_first_rank, joined
from heed.training.reports import StepReport

Watch = Callable[[StepReport], bool]  # told of each step; False ends the run after a checkpoint


@dataclass(frozen=True)
class TrainedRun:
    """Where a run is and how far it came."""

    path: Path
    step: int
    finished: bool
    best: Mapping[str, object]  # facts of the best weights: step, score and all that was measured then

    def load(self) -> Translator:
        """Return the trained model, ready to use."""
        return load_translator(self.path)


def train(
    task: str = "translate",
    data: Sequence[str] | str = (),
    *,
    model: str | None = None,
    settings: Mapping[str, object] | None = None,
    out: str | Path | None = None,
    force: bool = False,
    watch: Watch | None = None,
) -> TrainedRun:
    """Train a model and return its run.

    `settings` holds any part: {"training": {"minutes": 5}, "model": {"width": 128}}.
    """
    with new_run(task, data, model=model, settings=settings, out=out, force=force) as run:
        return follow(run, watch)


def resume(path: str | Path, *, watch: Watch | None = None) -> TrainedRun:
    """Go on with a run as if it had never stopped, and return it."""
    with stopped_run(path) as run:
        return follow(run, watch)


def load(path: str | Path) -> Translator:
    """Return the model that a run has trained."""
    return load_translator(Path(path))


def evaluate(path: str | Path, data: Sequence[str] | str, *, search: Search | None = None) -> Evaluation:
    """Return the scores of a run's model on other data; of a built-in corpus, on its test part."""
    return load(path).evaluate(evaluation_pairs(_names(data)).pairs, search)


def check(
    task: str = "translate",
    data: Sequence[str] | str = (),
    *,
    valid: Sequence[str] | str = (),
    test: Sequence[str] | str = (),
    columns: tuple[str, str] | None = None,
    longest: int = 128,
) -> PairReport:
    """Return what is noteworthy about data before anything is trained on it."""
    _check_task(task)
    splits = load_pairs(_names(data) or ["demo:fr-en"], _names(valid), _names(test), columns)
    return check_pairs(splits, longest=longest)


def doctor() -> MachineReport:
    """Return what this computer can do."""
    return examine_machine()


@contextmanager
def new_run(
    task: str,
    data: Sequence[str] | str = (),
    *,
    model: str | None = None,
    settings: Mapping[str, object] | None = None,
    out: str | Path | None = None,
    force: bool = False,
) -> Iterator[TranslationRun]:
    """Begin a run in a new folder, held by this process for the length of a `with`."""
    resolved = resolve(task, _names(data), model, settings or {})
    ranks = Ranks.from_environment()
    path = Path(out) if out is not None else free_folder(task, resolved)
    check_free(path, force)
    # With --force a run that was there is gone once the folder is made: first all that can fail, then the folder.
    prepared = translation_run.prepare(resolved)
    with joined(ranks), _held(path, ranks, force) as folder:
        yield translation_run.begin(folder, prepared, ranks)


@contextmanager
def stopped_run(path: str | Path) -> Iterator[TranslationRun]:
    """Take up a run where its newest good checkpoint stands, held by this process for the length of a `with`."""
    ranks = Ranks.from_environment()
    folder = open_run(Path(path))
    with joined(ranks):
        if not ranks.is_first:
            yield translation_run.resume(Path(path), ranks)
            return
        with folder.lock():
            yield translation_run.resume(Path(path), ranks)


def follow(run: TranslationRun, watch: Watch | None) -> TrainedRun:
    """Train to the end, or until `watch` says False; a checkpoint is saved either way."""
    reports = run.reports()
    try:
        for report in reports:
            go_on = watch is None or watch(report)
            # The first rank decides for all: one that left alone would leave the others waiting for its gradients.
            if not all(from_first_rank([go_on], run.trainer.ranks)):
                break
    finally:
        reports.close()
    return trained(run)


def trained(run: TranslationRun) -> TrainedRun:
    """Return how far a run came."""
    trainer = run.trainer
    # The other ranks do not read what the first may still be writing.
    has_best = trainer.ranks.is_first and trainer.best_score > float("-inf")
    best = run.folder.read_best().facts if has_best else {}
    return TrainedRun(run.folder.path, trainer.position.step, trainer.finished, best)


def evaluation_pairs(names: Sequence[str], columns: tuple[str, str] | None = None) -> PairFile:
    """Return all pairs of the files, or the test part of a built-in corpus; what was left out is counted."""
    if any(name.startswith("demo:") for name in names):
        splits = load_pairs(names, columns=columns)
        return PairFile(tuple(splits.test), splits.empty, splits.empty_places, f"the test part of {splits.origin}")
    return read_pairs([Path(name) for name in names], columns)


@contextmanager
def _held(path: Path, ranks: Ranks, force: bool) -> Iterator[RunFolder]:
    """Hold the new folder; ranks other than the first never write, so they neither make nor lock it."""
    if not ranks.is_first:
        yield RunFolder(path)
        return
    folder = create(path, force=force)
    with folder.lock():
        yield folder


def _names(data: Sequence[str] | str) -> list[str]:
    return [data] if isinstance(data, str) else list(data)


def _check_task(task: str) -> None:
    if task not in TASKS:
        raise UsageError(f"There is no task {task!r}. Choose one of: {', '.join(TASKS)}.")
