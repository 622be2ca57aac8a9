"""The functions behind the commands: `train`, `load`, `evaluate`, `explain`, `show`, `verify`, `report` and others."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from heed.data.caption_checks import CaptionReport, check_captions
from heed.data.caption_corpora import load_captions
from heed.data.checks import PairReport, check_pairs
from heed.data.corpora import load_pairs
from heed.data.dealing import SplitRule
from heed.data.image_checks import ImageReport, check_images
from heed.data.image_corpora import load_images
from heed.data.image_survey import unheard
from heed.data.labelled_checks import LabelledReport, check_labelled
from heed.data.labelled_corpora import load_labelled
from heed.data.question_checks import QuestionReport, check_questions
from heed.data.question_corpora import load_questions
from heed.data.tagged_checks import TaggedReport, check_tagged
from heed.data.tagged_corpora import load_tagged
from heed.errors import UsageError
from heed.exchange.exporting import ExportedModel, export_run
from heed.exchange.importing import ImportedRun, import_published
from heed.inspection.explaining.asked import Asked
from heed.inspection.explaining.explain import Given
from heed.inspection.explaining.explain import explain as look_inside
from heed.inspection.explanation import Explanation
from heed.inspection.show import show as work_out
from heed.inspection.shown import Shown
from heed.listing.runs import Order, RunLine, find_runs
from heed.machine import MachineReport
from heed.machine import doctor as examine_machine
from heed.prediction.evaluating import AnyEvaluated, evaluate_model
from heed.prediction.evaluation_data import DataChoice
from heed.prediction.loading import Predictor, load_predictor
from heed.reporting.following import Watch, follow
from heed.reporting.report import RunReport, report_run
from heed.runs.folder import open_run
from heed.runs.run import Run
from heed.runs.session import new_run, stopped_run
from heed.runs.settings import DEMOS, settings_class
from heed.runs.telling import Tell, silent
from heed.tasks.translating import Search
from heed.verifying.findings import VerificationReport
from heed.verifying.verify import verify as verify_run


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

    def report(self) -> RunReport:
        """Return how the training went; a notebook shows it as a page."""
        return report_run(self.path)


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
    """Return the model that a run has trained: a Translator, a Classifier, or what else its task makes."""
    return load_predictor(Path(path))


def evaluate(
    path: str | Path,
    data: Sequence[str] | str = (),
    *,
    columns: Sequence[str] | None = None,
    search: Search | None = None,
) -> AnyEvaluated:
    """Return the scores of a run's model on data, apart for what the run has trained on, validated on and never seen.

    Without data it is scored on the test split that the run set aside; of a built-in corpus, on its test part.
    """
    folder = open_run(Path(path))
    return evaluate_model(load(path), DataChoice(folder, _names(data), columns), search)


def explain(
    run: str | Path | Predictor,
    given: Given,
    *,
    sites: Sequence[str] | str = (),
    heads: bool = False,
    steps: int = 0,
    answer: str | None = None,
    beams: int | None = None,
) -> Explanation:
    """Return what is to be seen inside a run's model while it reads one input; a notebook shows it as a page.

    `given` is a text, a pair of texts, a question and its paragraph, or a picture's file.
    """
    model = load(run) if isinstance(run, str | Path) else run
    return look_inside(model, given, Asked(tuple(_names(sites)), heads, steps, answer, beams))


def show(
    topic: str, texts: Sequence[str] | str = (), *, image: str | Path | None = None, matrix: str | None = None
) -> Shown:
    """Return a slide's worked example, with the slide's input or your own; a notebook shows it as a picture.

    `matrix` is a file of numbers or rows such as "1 2; 3 4".
    """
    return work_out(topic, _names(texts), None if image is None else Path(image), matrix)


def report(run: str | Path, *, out: str | Path | None = None) -> RunReport:
    """Return how a run went, after its page is written, into the run's folder or elsewhere; a notebook shows it."""
    return report_run(Path(run), None if out is None else Path(out))


def list_runs(folder: str | Path = "runs", *, task: str | None = None, order: Order = "time") -> list[RunLine]:
    """Return a line for each run and each comparison below a folder: newest first, best first, or by name."""
    if task is not None:
        settings_class(task)
    return find_runs(Path(folder), task, order)


Report = PairReport | LabelledReport | TaggedReport | QuestionReport | ImageReport | CaptionReport
CHECKED = ("translate", "classify", "pair", "tag", "answer", "image", "caption")


def check(
    task: str = "translate",
    data: Sequence[str] | str = (),
    *,
    valid: Sequence[str] | str = (),
    test: Sequence[str] | str = (),
    columns: Sequence[str] | None = None,
    group: str | None = None,
    longest: int = 128,
    tell: Callable[[int, int], None] = unheard,
) -> Report:
    """Return what is noteworthy about data before anything is trained on it; `tell` hears (done, of) of pictures.

    `group` names a column of a table: records with one value of it belong on one side, and those on two are reported.
    """
    settings_class(task)
    if task not in CHECKED:
        raise UsageError(
            f"There is nothing to check for task {task}: its data is plain text. Tasks: {', '.join(CHECKED)}."
        )
    names, others, rule = _names(data) or [DEMOS[task]], (_names(valid), _names(test)), SplitRule(group)
    match task:
        case "translate":
            return check_pairs(load_pairs(names, *others, columns, rule), longest=longest)
        case "tag":
            return check_tagged(load_tagged(names, *others, columns, rule), longest=longest)
        case "image":
            return check_images(load_images(names, *others, columns, rule), tell)
        case "caption":
            captioned = load_captions(names, *others, columns, rule, keep_going=True)
            return check_captions(captioned, longest=longest, tell=tell)
        case "answer":
            return check_questions(load_questions(names, *others, rule, keep_going=True), longest=longest)
        case _:
            texts = 2 if task == "pair" else 1
            return check_labelled(load_labelled(names, *others, columns, texts, rule=rule), longest=longest)


def doctor() -> MachineReport:
    """Return what this computer can do."""
    return examine_machine()


def import_model(path: str | Path, out: str | Path, *, task: str | None = None, force: bool = False) -> ImportedRun:
    """Make a finished run of a model in the format of Hugging Face: a folder, or "hub:NAME", which is fetched."""
    return import_published(str(path), Path(out), task, force)


def export_model(run: str | Path, to: str, out: str | Path, *, force: bool = False) -> ExportedModel:
    """Write the model of a run for other libraries: "hf" is a folder, "word2vec" and "glove" are text files."""
    return export_run(Path(run), to, Path(out), force)


def verify(
    path: str | Path, data: Sequence[str] | str = (), *, only: Sequence[str] | str = (), tell: Tell = silent
) -> VerificationReport:
    """Return what can be proved of a run's model on its own data, or on other files; `only` names single checks."""
    return verify_run(Path(path), _names(data), _names(only), tell)


def trained(run: Run) -> TrainedRun:
    """Return how far a run came."""
    reached = run.reached
    # The other ranks do not read what the first may still be writing.
    best = run.folder.read_best().facts if run.ranks.is_first and reached.has_best else {}
    return TrainedRun(run.folder.path, reached.step, reached.finished, best)


def _names(data: Sequence[str] | str) -> list[str]:
    return [data] if isinstance(data, str) else list(data)
