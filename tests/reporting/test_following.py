"""Training leaves samples and a report behind, for every task, stopped or not, and is none the less exact for it."""

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from heed import api
from heed.errors import MachineError
from heed.files import atomic
from heed.reporting.facts import gather
from heed.reporting.samples import keep_sample, read_samples
from heed.runs.folder import open_run
from heed.tasks.validation import Sample
from heed.training.reports import StepReport

WORDS = ("one", "two", "three", "four", "five", "six", "seven")
TRAINING: dict[str, object] = {
    "steps": 6,
    "tokens_per_batch": 250,
    "validations": 3,
    "validation_texts": 3,
    "average": 0.9,
    "checkpoint_every": 1,
    "threads": 1,
}
MODEL = {"width": 16, "heads": 2, "encoder_layers": 1, "decoder_layers": 1, "feedforward": 24, "dropout": 0.3}
SETTINGS: dict[str, object] = {"tokens": {"kind": "words"}, "model": MODEL, "training": TRAINING}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    draw = random.Random(4)
    texts = [draw.choices(WORDS, k=draw.randint(1, 6)) for _ in range(90)]
    path = tmp_path_factory.mktemp("data") / "pairs.tsv"
    path.write_text("".join(f"{' '.join(words)}\t{' '.join(reversed(words))}\n" for words in texts))
    return path


@pytest.fixture(scope="module")
def whole(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run that was never stopped."""
    return api.train("translate", str(data), settings=SETTINGS, out=tmp_path_factory.mktemp("whole") / "run").path


def until(step: int) -> Callable[[StepReport], bool]:
    """Return what stops a training after a step."""
    return lambda report: report.step < step


def samples_of(run: Path) -> list[object]:
    return [json.loads(line)["step"] for line in (run / "samples.jsonl").read_text().splitlines()]


def test_a_training_that_ends_leaves_a_report_with_a_sample_of_each_validation(whole: Path) -> None:
    facts = gather(open_run(whole))
    assert (facts.state, facts.faults) == ("finished", ())
    validated = [point.step for point in facts.progress.validations]
    assert samples_of(whole) == validated
    assert [sample.step for sample in facts.samples] == validated
    page = (whole / "report.html").read_text()
    assert facts.samples[0].source in page
    assert "can go on" not in page


def test_a_training_that_is_stopped_leaves_a_report_that_says_so(data: Path, tmp_path: Path) -> None:
    run = api.train("translate", str(data), settings=SETTINGS, out=tmp_path / "run", watch=until(3))
    assert not run.finished
    page = (run.path / "report.html").read_text()
    assert "Training was stopped at step 3 and can go on" in page
    assert run.report().page.read_text() == page


def test_a_resumed_run_has_each_sample_once_and_ends_as_the_whole_one(data: Path, whole: Path, tmp_path: Path) -> None:
    run = api.train("translate", str(data), settings=SETTINGS, out=tmp_path / "run", watch=until(3)).path
    # As a kill would leave it: a sample is there of a step that no checkpoint has reached.
    with (run / "samples.jsonl").open("a") as file:
        file.write('{"step": 4, "source": "a", "expected": "b", "predicted": "c"}\n')
    assert api.resume(run).finished
    for name in ("samples.jsonl", "model.safetensors", "finished.json"):
        assert (run / name).read_bytes() == (whole / name).read_bytes(), name
    assert "can go on" not in (run / "report.html").read_text()


def test_a_run_that_came_to_its_end_is_left_as_it_is(whole: Path, tmp_path: Path) -> None:
    run = Path(shutil.copytree(whole, tmp_path / "run"))
    (run / "report.html").write_text("mine")
    api.resume(run)
    assert (run / "report.html").read_text() == "mine"
    assert (run / "samples.jsonl").read_bytes() == (whole / "samples.jsonl").read_bytes()


def test_force_takes_samples_and_report_away_with_the_old_run(data: Path, whole: Path, tmp_path: Path) -> None:
    run = Path(shutil.copytree(whole, tmp_path / "run"))
    with api.new_run("translate", str(data), settings=SETTINGS, out=run, force=True):
        assert not (run / "samples.jsonl").exists()
        assert not (run / "report.html").exists()


def test_half_characters_in_a_sample_do_not_stop_a_training(whole: Path, tmp_path: Path) -> None:
    folder = open_run(Path(shutil.copytree(whole, tmp_path / "run")))
    keep_sample(folder, 7, Sample("a\ud800b", "x" * 20_000, "\x00"))
    last = read_samples(folder).samples[-1]
    assert (last.step, last.source, len(last.expected), last.predicted) == (7, "a?b", 10_000, "\x00")


def test_a_disk_that_is_full_when_the_report_is_written_is_told(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Path(shutil.copytree(whole, tmp_path / "run"))

    def full(descriptor: int, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(atomic, "_write", full)
    with pytest.raises(MachineError, match=r"report\.html cannot be written: No space left on device"):
        api.report(run)
    assert open_run(run).is_finished


@pytest.mark.parametrize(("task", "model"), [("classify", "tfidf"), ("classify", "textcnn"), ("vectors", "glove")])
def test_every_kind_of_run_leaves_a_report(task: str, model: str, tmp_path: Path) -> None:
    rows = [
        f"the {noun} was {word}\t{label}\n" for noun in WORDS for word, label in (("fresh", "good"), ("cold", "bad"))
    ]
    (tmp_path / "texts.tsv").write_text("text\tlabel\n" + "".join(rows * 3))
    (tmp_path / "plain.txt").write_text("".join(row.partition("\t")[0] + " .\n" for row in rows * 9))
    own: dict[str, object] = {"training": {"steps": 4, "threads": 1}} if model == "textcnn" else {}
    own |= {"model": {"epochs": 2, "minimum_count": 1, "width": 6}} if model == "glove" else {}
    name = "plain.txt" if task == "vectors" else "texts.tsv"
    run = api.train(task, str(tmp_path / name), model=model, settings=own, out=tmp_path / "run").path
    facts = gather(open_run(run))
    assert facts.state == "finished"
    assert facts.faults == ()
    assert facts.samples
    assert facts.best is not None
    assert (run / "report.html").is_file()
