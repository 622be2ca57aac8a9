"""From plain text to word vectors that answer, as a person does it on the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

# What `conftest.py` makes; its answers have `code`, `out` and `err`.
Heed = Callable[..., Any]
PLACES = {"paris": "france", "rome": "italy", "oslo": "norway", "hanoi": "vietnam"}
TINY = ("--model", "glove", "--set", "model.width=8", "--set", "training.threads=1")
SUM = "paris - france + italy"


@pytest.fixture(scope="session")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run of vectors of the demo's words; no test changes it."""
    from heed import api

    return api.train("vectors", "demo:royals", model="glove", out=tmp_path_factory.mktemp("vectors") / "run").path


@pytest.fixture
def text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a text of places, alone in the current folder."""
    monkeypatch.chdir(tmp_path)
    lines = [f"{city} lies in {country} and {country} is a country\n" for city, country in PLACES.items()]
    (tmp_path / "own.txt").write_text("".join(lines * 12))
    return "own.txt"


def test_train_predict_evaluate_resume_word_vectors(heed: Heed, text: str) -> None:
    trained = heed("train", "vectors", text, *TINY, "--epochs", "3")
    assert trained.code == 0, trained.err
    run = "runs/vectors-glove-1"
    assert f"The run is in {run}. Use it with: heed predict {run} word" in trained.out
    assert "14 of 14 different words come 5 or more times and get vectors of 8 numbers" in trained.err
    near = heed("predict", run, "paris")
    assert near.code == 0
    assert len(near.out.splitlines()) == 10
    Path("likeness.tsv").write_text("paris\trome\t9\nparis\tin\t1\nrome\titaly\t5\n")
    scored = heed("evaluate", run, "likeness.tsv")
    assert scored.code == 0
    assert "3 of 3 pairs" in scored.out
    assert "nothing is left to train" in heed("resume", run).err


def test_a_sum_of_words_is_answered_on_the_line_in_a_file_and_on_standard_input(
    heed: Heed, vectors: Path, text: str
) -> None:
    alone = heed("predict", vectors, SUM, "--best", "2")
    assert alone.out.startswith("rome\t")
    Path("asked.txt").write_text(f"{SUM}\n")
    headed = f"{SUM}:\n{alone.out}"
    assert heed("predict", vectors, "asked.txt", "--best", "2").out == headed
    assert heed("predict", vectors, "--best", "2", stdin=f"{SUM}\n".encode()).out == headed
    two = heed("predict", vectors, SUM, "king", "--best", "2").out
    assert two.startswith(headed)
    assert two.splitlines()[3] == "king:"


def test_json_has_the_question_as_it_was_understood(heed: Heed, vectors: Path, text: str) -> None:
    found = json.loads(heed("predict", vectors, SUM, "--json", "--best", "1").out)
    assert found["asked"] == {"positive": ["paris", "italy"], "negative": ["france"]}
    assert [each["word"] for each in found["neighbours"]] == ["rome"]


def test_analogies_are_scored_by_their_sections(heed: Heed, vectors: Path, text: str) -> None:
    Path("questions.txt").write_text(": capital\nparis france rome italy\nparis france zebra congo\n")
    answer = heed("evaluate", vectors, "questions.txt", "demo:royals")
    assert answer.code == 0, answer.err
    assert "family" in answer.out
    found = json.loads(heed("evaluate", vectors, "questions.txt", "--json").out)
    assert found["analogies"]["questions.txt"]["sections"] == [
        {"name": "capital", "questions": 2, "covered": 1, "correct": 1}
    ]


def test_words_are_drawn_as_a_map(heed: Heed, vectors: Path, text: str) -> None:
    answer = heed("predict", vectors, "king", "queen", "man", "woman", "--map", "map.png")
    assert (answer.code, answer.out) == (0, "")
    assert answer.err == "heed: the map of the words is in map.png\n"
    assert Path("map.png").read_bytes().startswith(b"\x89PNG")


def test_a_classifier_starts_from_a_run_of_vectors(heed: Heed, vectors: Path, texts: Path) -> None:
    options = ("--model", "textcnn", "--set", "model.embedding=100", "--set", "tokens.kind=words", "--steps", "2")
    answer = heed("train", "classify", "texts.csv", *options, "--vectors", vectors, "--out", "run")
    assert answer.code == 0, answer.err
    assert "pieces start from the vectors of" in answer.err


def test_a_run_that_was_interrupted_ends_as_if_it_had_not_been(
    heed: Heed, text: str, stop_after: Callable[[int], None]
) -> None:
    train = ("train", "vectors", text, *TINY, "--epochs", "6", "--quiet", "--out")
    assert heed(*train, "whole").code == 0
    stop_after(3)
    stopped = heed(*train, "stopped")
    assert stopped.code == 130
    assert "Stopped at step 3. Word vectors are learnt in one go: heed resume stopped begins again." in stopped.out
    assert heed("resume", "stopped", "--quiet").code == 0
    said = [heed("predict", run, *PLACES, "--json").out for run in ("whole", "stopped")]
    assert said[0] == said[1]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--steps", "5"), 1, "training.steps is 5, but word vectors are learnt in passes over the text."),
        (("--budget", "1m"), 1, "training.minutes is 1.0, but word vectors are learnt in passes"),
        (("--columns", "text"), 2, "--columns is 'text', but task vectors reads plain text"),
        (("--from", "run"), 2, "--from is run, but no model of task vectors starts from such a thing."),
        (("--valid", "own.txt"), 1, "data.valid is ['own.txt'], but word vectors are learnt from all of the text"),
        (("--model", "fasttext"), 2, "There is no model 'fasttext'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_a_wrong_way_to_train_is_one_sentence(
    heed: Heed, text: str, arguments: tuple[str, ...], code: int, said: str
) -> None:
    before = sorted(Path().rglob("*"))
    answer = heed("train", "vectors", text, *arguments)
    assert (answer.code, answer.out) == (code, "")
    assert said in answer.err
    assert len(answer.err.splitlines()) == 1
    assert sorted(Path().rglob("*")) == before


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("kingg",), "'kingg' is none of the 222 words that have a vector. Did you mean 'king'?"),
        (("king + ",), "'king + ' cannot be read."),
        (("king", "--best", "0"), "--best is 0; it must be 1 or more."),
        (("king", "--map", "map.txt"), "map.txt ends with '.txt'. Use one of .png, .svg, .pdf."),
        (("king", "--beam", "2"), "--beam means nothing here: this run is word vectors. Its options: --best, --map."),
        (("king", "--columns", "a"), "--columns is 'a', but no table is given."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_what_cannot_be_asked_is_one_sentence(
    heed: Heed, vectors: Path, text: str, asked: tuple[str, ...], said: str
) -> None:
    answer = heed("predict", vectors, *asked)
    assert answer.code in (1, 2)
    assert answer.out == ""
    assert said in answer.err
    assert len(answer.err.splitlines()) == 1


def test_nothing_is_to_check_or_to_save(heed: Heed, vectors: Path, text: str) -> None:
    assert "There is nothing to check for task vectors" in heed("check", "vectors", text).err
    saved = heed("evaluate", vectors, "demo:royals", "--save", "x.txt")
    assert (saved.code, saved.out) == (2, "")
    assert "--columns and --save mean nothing here" in saved.err
