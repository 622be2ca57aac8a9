"""The functions behind the commands: `train`, `resume`, `load`, `evaluate`, `check`, `doctor`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from heed.data.checks import PairReport, check_pairs
from heed.data.corpora import load_pairs
from heed.data.labelled import LabelledFile, read_labelled
from heed.data.labelled_checks import LabelledReport, check_labelled
from heed.data.labelled_corpora import load_labelled
from heed.data.pairs import PairFile, read_pairs
from heed.errors import UsageError
from heed.machine import MachineReport
from heed.machine import doctor as examine_machine
from heed.prediction.classifier import Classifier, ClassifierEvaluation
from heed.prediction.loading import Predictor, load_predictor
from heed.prediction.translator import Evaluation, Translator
from heed.runs.run import Run
from heed.runs.session import Watch, follow, new_run, stopped_run
from heed.runs.settings import DEMOS, settings_class
from heed.tasks.translating import Search


@dataclass(frozen=True)
class TrainedRun:
    """Where a run is and how far it came."""

    path: Path
    step: int
    finished: bool
    best: Mapping[str, object]  # facts of the best weights: step, score and all that was measured then

    def load(self) -> Predictor:
        """Return the trained model, ready to use."""
        return load_predictor(self.path)


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
        follow(run, watch)
        return trained(run)


def resume(path: str | Path, *, watch: Watch | None = None) -> TrainedRun:
    """Go on with a run as if it had never stopped, and return it."""
    with stopped_run(path) as run:
        follow(run, watch)
        return trained(run)


def load(path: str | Path) -> Predictor:
    """Return the model that a run has trained: a Translator, or a Classifier."""
    return load_predictor(Path(path))


def evaluate(
    path: str | Path, data: Sequence[str] | str, *, search: Search | None = None
) -> Evaluation | ClassifierEvaluation:
    """Return the scores of a run's model on other data; of a built-in corpus, on its test part."""
    match load(path):
        case Translator() as translator:
            return translator.evaluate(evaluation_pairs(_names(data)).pairs, search)
        case Classifier() as classifier:
            if search is not None:
                raise UsageError("A search is for translators; this run is a classifier. Leave it out.")
            return classifier.evaluate(evaluation_records(_names(data), classifier.texts_each).records)


def check(
    task: str = "translate",
    data: Sequence[str] | str = (),
    *,
    valid: Sequence[str] | str = (),
    test: Sequence[str] | str = (),
    columns: Sequence[str] | None = None,
    longest: int = 128,
) -> PairReport | LabelledReport:
    """Return what is noteworthy about data before anything is trained on it."""
    settings_class(task)
    names = _names(data) or [DEMOS[task]]
    if task == "translate":
        return check_pairs(load_pairs(names, _names(valid), _names(test), columns), longest=longest)
    texts = 2 if task == "pair" else 1
    return check_labelled(load_labelled(names, _names(valid), _names(test), columns, texts=texts), longest=longest)


def doctor() -> MachineReport:
    """Return what this computer can do."""
    return examine_machine()


def trained(run: Run) -> TrainedRun:
    """Return how far a run came."""
    reached = run.reached
    # The other ranks do not read what the first may still be writing.
    best = run.folder.read_best().facts if run.ranks.is_first and reached.has_best else {}
    return TrainedRun(run.folder.path, reached.step, reached.finished, best)


def evaluation_pairs(names: Sequence[str], columns: Sequence[str] | None = None) -> PairFile:
    """Return all pairs of the files, or the test part of a built-in corpus; what was left out is counted."""
    if any(name.startswith("demo:") for name in names):
        splits = load_pairs(names, columns=columns)
        return PairFile(tuple(splits.test), splits.empty, splits.empty_places, f"the test part of {splits.origin}")
    return read_pairs([Path(name) for name in names], columns)


def evaluation_records(names: Sequence[str], texts: int, columns: Sequence[str] | None = None) -> LabelledFile:
    """Return all labelled texts of the files, or the test part of a built-in corpus; what was left out is counted."""
    if any(name.startswith("demo:") for name in names):
        splits = load_labelled(names, columns=columns, texts=texts)
        return LabelledFile(tuple(splits.test), splits.empty, splits.empty_places, f"the test part of {splits.origin}")
    return read_labelled([Path(name) for name in names], columns, texts=texts)


def _names(data: Sequence[str] | str) -> list[str]:
    return [data] if isinstance(data, str) else list(data)
