"""From plain text to a model that writes on, as a person does it on the command line."""

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

# What `conftest.py` makes; its answers have `code`, `out` and `err`.
Heed = Callable[..., Any]
Refused = Callable[[Sequence[object], int, str], None]
MODEL = {"kind": "rnn", "cell": "gru", "width": 24, "embedding": 12, "longest": 24, "dropout": 0.0}
TRAINING = {"tokens_per_batch": 300, "validations": 1, "threads": 1, "learning_rate": 0.02, "average": 0.9}
TINY = ("--settings", "tiny.json", "--steps", "8")


def write_text(path: Path) -> None:
    """Write lines of two sentences: who did it decides where."""
    draw = random.Random(6)
    lines = [draw.choice(("the cat sat on the mat .", "a dog ran to my door .")) for _ in range(300)]
    path.write_text("\n".join(lines) + "\n")


def write_settings(path: Path) -> dict[str, object]:
    """Write the settings of a tiny model over words, and return them."""
    settings: dict[str, object] = {"tokens": {"kind": "words"}, "model": MODEL, "training": TRAINING, "length": 4}
    path.write_text(json.dumps(settings))
    return settings


@pytest.fixture(scope="session")
def writer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run that has learnt both sentences; no test changes it."""
    from heed import api

    folder = tmp_path_factory.mktemp("writer")
    write_text(folder / "own.txt")
    settings = write_settings(folder / "tiny.json") | {"training": {**TRAINING, "steps": 100}}
    return api.train("write", str(folder / "own.txt"), settings=settings, out=folder / "run").path


@pytest.fixture
def text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a text, alone in the current folder with the settings of a tiny model."""
    monkeypatch.chdir(tmp_path)
    write_text(tmp_path / "own.txt")
    write_settings(tmp_path / "tiny.json")
    return "own.txt"


def test_train_predict_evaluate_resume_a_language_model(heed: Heed, text: str) -> None:
    trained = heed("train", "write", text, *TINY)
    assert trained.code == 0, trained.err
    run = "runs/write-gru-1"
    assert f"The run is in {run}" in trained.out
    assert "The last tenth" in trained.err
    written = heed("predict", run, "the cat")
    assert written.code == 0
    assert written.out.startswith("the cat")
    scored = heed("evaluate", run, text)
    assert scored.code == 0
    assert "bits a character" in scored.out
    assert "nothing is left to train" in heed("resume", run).err


def test_a_prompt_on_the_line_in_a_file_and_on_standard_input_is_written_on_alike(
    heed: Heed, writer: Path, text: str
) -> None:
    Path("prompts.txt").write_text("the cat\na dog\n")
    said = "the cat sat on the mat\na dog ran to my door\n"
    assert heed("predict", writer, "the cat", "a dog", "--greedy").out == said
    assert heed("predict", writer, "prompts.txt", "--greedy").out == said
    assert heed("predict", writer, "--greedy", stdin=b"the cat\na dog\n").out == said


def test_line_stops_at_the_end_of_the_line_and_length_after_so_many_pieces(heed: Heed, writer: Path, text: str) -> None:
    long = ("--greedy", "--length", "12")
    assert heed("predict", writer, "the cat", *long, "--line").out == "the cat sat on the mat .\n"
    assert len(heed("predict", writer, "the cat", *long).out.splitlines()) > 1
    found = json.loads(heed("predict", writer, "the cat", "--greedy", "--length", "3", "--json").out)
    assert (found["prompt"], found["text"], found["tokens"], found["ended"]) == ("the cat", " sat on the", 3, "length")


def test_the_same_seed_draws_the_same_text(heed: Heed, writer: Path, text: str) -> None:
    draws = [
        heed("predict", writer, "", "--temperature", "3", "--length", "20", "--seed", seed).out for seed in (1, 1, 2)
    ]
    assert draws[0] == draws[1] != draws[2]


def test_a_seed_alone_draws_at_the_run_s_own_temperature(heed: Heed, text: str) -> None:
    assert heed("train", "write", text, *TINY, "--set", "search.temperature=0.001", "--out", "run").code == 0
    greedy = heed("predict", "run", "the", "--greedy").out
    assert [heed("predict", "run", "the", "--seed", seed).out for seed in (1, 2, 3)] == [greedy] * 3


def test_best_searches_with_beams_though_the_run_draws(heed: Heed, writer: Path, text: str) -> None:
    answer = heed("predict", writer, "the cat", "--best", "2", "--line")
    rows = [line.split("\t") for line in answer.out.splitlines()]
    assert [row[0] for row in rows] == ["1", "2"]
    assert float(rows[0][1]) >= float(rows[1][1])
    assert heed("predict", writer, "the cat", "--beam", "1").out == heed("predict", writer, "the cat", "--greedy").out


def test_what_is_unknown_is_told(heed: Heed, writer: Path, text: str) -> None:
    assert "heed: 1 piece unknown in 'the zebra'" in heed("predict", writer, "the zebra").err


def test_an_evaluation_in_json_counts_all_of_the_text(heed: Heed, writer: Path, text: str) -> None:
    found = json.loads(heed("evaluate", writer, text, "--json").out)
    assert found["scores"] is None  # all of the text was trained on
    assert found["training"]["scores"]["characters"] == len(Path(text).read_text())
    assert found["training"]["perplexity"] < 1.5


def test_a_run_goes_on_from_another(heed: Heed, writer: Path, text: str) -> None:
    training = ("--steps", "1", "--set", "training.threads=1", "--set", "training.learning_rate=1e-9")
    answer = heed("train", "write", text, "--from", writer, *training, "--out", "run")
    assert answer.code == 0, answer.err
    assert heed("predict", "run", "the cat", "--greedy", "--length", "3").out == "the cat sat on the\n"


def test_a_run_that_was_interrupted_ends_as_if_it_had_not_been(
    check_interrupted: Callable[..., None], text: str
) -> None:
    check_interrupted("train", "write", text, *TINY)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("train", "write", "own.txt", "--columns", "text"), 2, "--columns is 'text', but task write reads plain text"),
        (("train", "write", "own.txt", "--vectors", "v.txt"), 2, "--vectors is v.txt, but no model of task write"),
        (("train", "write", "own.txt", "--model", "textcnn"), 2, "There is no model 'textcnn'"),
        (("train", "write", "own.txt", "--set", "length=0"), 1, "length is 0. Use 1 or more"),
        (("train", "write", "blank.txt"), 1, "blank.txt holds no text."),
        (("train", "write", "demo:reviews"), 1, "demo:hello"),
        (("check", "write", "own.txt"), 2, "There is nothing to check for task write: its data is plain text."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_a_wrong_command_is_one_sentence(
    check_refused: Refused, text: str, arguments: tuple[str, ...], code: int, said: str
) -> None:
    Path("blank.txt").write_text("\n\n")
    check_refused(arguments, code, said)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--length", "0"), "The length to write is 0 tokens. Give 1 or more."),
        (("--threshold", "1"), "--threshold means nothing here: this run is a language model."),
        (("--alignment", "a.png"), "--alignment means nothing here: this run is a language model."),
        (("--greedy", "--seed", "3"), "Choose one way to decode"),
        (("--beam", "2", "--best", "3"), "--best is 3 with --beam 2. Give 1 up to the beams."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_options_that_do_not_fit_are_refused(
    heed: Heed, writer: Path, text: str, options: tuple[str, ...], said: str
) -> None:
    answer = heed("predict", writer, "the cat", *options)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err


def test_an_evaluation_has_nothing_to_save_and_no_beams(heed: Heed, writer: Path, text: str) -> None:
    assert "--columns and --save mean nothing here" in heed("evaluate", writer, text, "--save", "x.txt").err
    assert "this run is a language model" in heed("evaluate", writer, text, "--beam", "2").err
