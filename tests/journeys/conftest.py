"""The command line as a person meets it: `heed("train", …)` gives exit code, standard output and standard error.

Commands run in this process, because importing torch takes seconds; what needs a process of its own starts one.
"""

import io
import json
import random
import shutil
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from heed.cli.main import main
from heed.cli.training_view import TrainingView
from heed.training.reports import StepReport

WORDS = ("one", "two", "three", "four", "five", "six", "seven")
OPINIONS = {"good": "tasty fresh lovely", "bad": "stale cold awful"}
TINY = """
shared_tokens = true
tokens.kind = "words"

[model]
width = 16
heads = 2
encoder_layers = 1
decoder_layers = 1
feedforward = 24
longest = 32

[training]
tokens_per_batch = 300
validations = 2
validation_texts = 3
average = 0.9
threads = 1
"""


@dataclass(frozen=True)
class Answer:
    """What a command left behind."""

    code: int
    out: str
    err: str


Heed = Callable[..., Answer]


@pytest.fixture
def heed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Heed:
    """Return the command line as a function; no answer of it ever holds a traceback or an apology."""

    def run(*arguments: object, stdin: bytes = b"") -> Answer:
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["heed", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as leaving:
            main()
        said = capsys.readouterr()
        code = leaving.value.code
        assert "Traceback" not in said.err
        assert "fault of ours" not in said.err, said.err
        return Answer(code if isinstance(code, int) else 0, said.out, said.err)

    return run


@pytest.fixture
def stop_after(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Return what lets Ctrl-C come, once, at a step of the training that follows."""
    shown = TrainingView.show

    def stop_after(step: int) -> None:
        def show(view: TrainingView, report: StepReport) -> bool:
            if report.step == step:
                monkeypatch.setattr(TrainingView, "show", shown)
                signal.raise_signal(signal.SIGINT)
            return shown(view, report)

        monkeypatch.setattr(TrainingView, "show", show)

    return stop_after


@pytest.fixture
def check_interrupted(heed: Heed, stop_after: Callable[[int], None]) -> Callable[..., None]:
    """Return what holds that a training which is stopped and resumed ends as the whole one, to the last byte."""

    def check(*train: object) -> None:
        assert heed(*train, "--quiet", "--out", "whole").code == 0
        stop_after(3)
        stopped = heed(*train, "--quiet", "--out", "stopped")
        assert stopped.code == 130
        assert "Stopped at step 3; nothing is lost. Go on with: heed resume stopped" in stopped.out
        assert heed("resume", "stopped", "--quiet").code == 0
        assert Path("stopped/model.safetensors").read_bytes() == Path("whole/model.safetensors").read_bytes()

    return check


@pytest.fixture
def check_refused(heed: Heed) -> Callable[[Sequence[object], int, str], None]:
    """Return what holds that a command is refused with this code, in one sentence that says this."""

    def check(arguments: Sequence[object], code: int, said: str) -> None:
        answer = heed(*arguments)
        assert (answer.code, answer.out) == (code, "")
        assert said in answer.err
        assert len(answer.err.splitlines()) == 1

    return check


def write_data(folder: Path, count: int = 120) -> None:
    """Write the same made-up pairs in every format that is read, and settings of a tiny model."""
    draw = random.Random(2)
    texts = [draw.choices(WORDS, k=draw.randint(1, 6)) for _ in range(count)]
    pairs = [(" ".join(words), " ".join(reversed(words))) for words in texts]
    (folder / "pairs.tsv").write_text("".join(f"{source}\t{target}\n" for source, target in pairs))
    (folder / "pairs.csv").write_text("fr,en\n" + "".join(f"{source},{target}\n" for source, target in pairs))
    objects = [json.dumps({"source": source, "target": target}) for source, target in pairs]
    (folder / "pairs.jsonl").write_text("\n".join(objects) + "\n")
    (folder / "source.txt").write_text("".join(f"{source}\n" for source, _ in pairs))
    (folder / "target.txt").write_text("".join(f"{target}\n" for _, target in pairs))
    (folder / "tiny.toml").write_text(TINY)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder of the test: the data, and nothing else."""
    write_data(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def texts(folder: Path) -> Path:
    """Write labelled texts in every format that is read."""
    rows = [
        (f"the {noun} was {word} {number}", label)
        for number in range(8)
        for noun in ("soup", "bread", "tea")
        for label, words in OPINIONS.items()
        for word in words.split()
    ]
    (folder / "texts.csv").write_text(
        "id,label,sentence\n" + "".join(f"{n},{b},{t}\n" for n, (t, b) in enumerate(rows))
    )
    (folder / "texts.jsonl").write_text("".join(json.dumps({"text": t, "label": b}) + "\n" for t, b in rows))
    for number, (text, label) in enumerate(rows):
        (folder / "folders" / label).mkdir(parents=True, exist_ok=True)
        (folder / "folders" / label / f"{number:03}.txt").write_text(text)
    return folder


def write_judged_pairs(folder: Path) -> None:
    """Write pairs of texts with a label (the second is the first, or not), and with a number (the words in common)."""
    draw = random.Random(3)
    rows = []
    for number in range(120):
        first = draw.choices(WORDS, k=draw.randint(1, 5))
        rows.append((first, first if number % 2 else draw.choices(WORDS, k=draw.randint(1, 5))))
    for name, judge in (
        ("labels.tsv", lambda first, second: "same" if first == second else "other"),
        ("numbers.tsv", lambda first, second: f"{len(set(first) & set(second)) / 2:.1f}"),
    ):
        lines = [f"{' '.join(first)}\t{' '.join(second)}\t{judge(first, second)}\n" for first, second in rows]
        (folder / name).write_text("sentence1\tsentence2\tlabel\n" + "".join(lines))


@pytest.fixture
def judged(folder: Path) -> Path:
    """Write judged pairs beside the other data."""
    write_judged_pairs(folder)
    return folder


@pytest.fixture(scope="session")
def pair_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two trained runs that read pairs: `labels` and `numbers`; no test changes it."""
    from heed import api

    folder = tmp_path_factory.mktemp("pairs")
    write_judged_pairs(folder)
    model = {"width": 16, "heads": 2, "layers": 1, "feedforward": 24, "longest": 32}
    training = {"steps": 12, "validations": 1, "threads": 1, "learning_rate": 5e-3}
    settings = {"tokens": {"kind": "words"}, "model": model, "training": training}
    for name in ("labels", "numbers"):
        api.train("pair", str(folder / f"{name}.tsv"), settings=settings, out=folder / name)
    return folder


@pytest.fixture(scope="session")
def _trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from heed import api
    from heed.settings_file import parse_file

    folder = tmp_path_factory.mktemp("trained")
    write_data(folder)
    settings = parse_file(folder / "tiny.toml")
    training = settings["training"]
    assert isinstance(training, dict)
    training |= {"steps": 30, "learning_rate": 5e-3}
    return api.train("translate", str(folder / "pairs.tsv"), settings=settings, out=folder / "run").path


@pytest.fixture
def run(_trained: Path, folder: Path) -> Path:
    """Return a copy of a trained run in the current folder, named `run`."""
    shutil.copytree(_trained, folder / "run")
    return Path("run")
