"""`heed evaluate` as a person reads it: what the run has seen never looks like a test score."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from heed.cli.intervals import without_interval

# What `conftest.py` makes; its answers have `code`, `out` and `err`.
Heed = Callable[..., Any]
SMALL = ("--steps", "60", "--set", "training.validations=2", "--set", "training.threads=1")
TINY = (*SMALL, "--model", "textcnn", "--set", "tokens.kind=words", "--quiet")


def write_random(path: str, seed: int, count: int) -> str:
    """Write texts whose labels are random: there is nothing to learn, and everything to memorise."""
    draw = random.Random(seed)
    words = [f"w{number}" for number in range(300)]
    rows = [f"{' '.join(draw.choices(words, k=8))},{draw.choice(['good', 'bad'])}\n" for _ in range(count)]
    Path(path).write_text("text,label\n" + "".join(rows))
    return path


@pytest.fixture
def run(heed: Heed, folder: Path) -> str:
    """Train on random labels, with files of its own for validation and test."""
    train, valid, test = (write_random(f"{name}.csv", *more) for name, *more in FILES)
    trained = heed("train", "classify", train, "--valid", valid, "--test", test, *TINY, "--out", "memory")
    assert trained.code == 0, trained.err
    return "memory"


FILES = (("train", 1, 90), ("valid", 2, 30), ("test", 3, 30))


def test_every_line_of_a_score_on_the_training_file_says_so_and_has_no_interval(heed: Heed, run: str) -> None:
    said = heed("evaluate", run, "train.csv").out.splitlines()
    assert said[0] == "NOT A TEST SCORE: all 90 texts were in the run's training set."
    assert said[1].startswith("seen in training: 90 texts that the model was fitted to")
    assert all(line.startswith("[seen in training] ") for line in said[2:-1])
    assert not any("interval" in line for line in said)
    accuracy = float(said[2].split()[4].rstrip("%,"))
    assert accuracy > 80, "the model has not memorised its training set, so this test shows little"


def test_the_score_of_unseen_texts_comes_first_and_alone_has_an_interval(heed: Heed, run: str) -> None:
    rows = [Path(name).read_text().splitlines()[1:] for name in ("train.csv", "valid.csv", "test.csv")]
    Path("mixed.csv").write_text("\n".join(["text,label", *rows[0][:20], *rows[1][:5], *rows[2][:10]]) + "\n")
    said = heed("evaluate", run, "mixed.csv").out.splitlines()
    assert said[0] == (
        "20 of these 35 texts were in the run's training set and 5 in its validation set: they are scored apart. "
        "10 are unseen; they are in the test split that the run set aside."
    )
    assert said[1] == "unseen: 10 texts"
    assert said[2].startswith("accuracy ")
    with_interval = [number for number, line in enumerate(said) if "95 % interval" in line]
    seen = [number for number, line in enumerate(said) if "seen in" in line]
    assert with_interval
    assert max(with_interval) < min(seen)


def test_programs_find_no_test_score_where_everything_was_seen(heed: Heed, run: str) -> None:
    found = json.loads(heed("evaluate", run, "train.csv", "--json").out)
    assert found["scores"] is None
    assert found["training"]["scores"]["count"] == 90
    assert found["validation"] is None
    assert found["seen"]["known"] is True
    assert (found["seen"]["unseen"], found["seen"]["validation"], found["seen"]["training"]) == (0, 0, 90)


def test_without_data_the_own_test_split_is_scored(heed: Heed, run: str) -> None:
    own, named = (json.loads(heed("evaluate", run, *data, "--json").out) for data in ((), ("test.csv",)))
    assert own["scores"] == named["scores"]
    assert own["seen"]["own_test"] == 30
    said = heed("evaluate", run).out.splitlines()
    assert said[0] == (
        "None of these 30 texts was in the run's training or validation set; "
        "they are in the test split that the run set aside."
    )


def test_data_that_has_changed_or_is_missing_is_refused_in_one_sentence(
    heed: Heed, run: str, check_refused: Callable[..., None]
) -> None:
    write_random("test.csv", 4, 30)
    check_refused(("evaluate", run), 1, "The test data of memory has changed since the run began")
    check_refused(("evaluate", run, "--columns", "text,label"), 2, "Columns (text,label) are for data that you name")
    heed("train", "classify", "train.csv", "--valid", "valid.csv", *TINY, "--out", "untested")
    check_refused(("evaluate", "untested"), 2, "untested has no test split of its own")


def test_what_is_saved_is_in_the_order_of_the_file_whatever_was_seen(heed: Heed, run: str) -> None:
    rows = [Path(name).read_text().splitlines()[1:] for name in ("train.csv", "test.csv")]
    turns = [row for both in zip(rows[0], rows[1], strict=False) for row in both]
    Path("mixed.csv").write_text("\n".join(["text,label", *turns]) + "\n")
    assert heed("evaluate", run, "mixed.csv", "--save", "said.txt").code == 0
    said = heed("predict", run, *(row.split(",")[0] for row in turns))
    assert Path("said.txt").read_text().split() == [line.split("\t")[0] for line in said.out.splitlines()]


def test_rows_and_files_that_are_left_out_are_told_beside_json_too(heed: Heed, run: str) -> None:
    Path("holes.csv").write_text("text,label\nw1 w2,good\n,bad\nw3,\n")
    answer = heed("evaluate", run, "holes.csv", "--json")
    assert "2 records without text or label were left out: holes.csv:3, holes.csv:4" in answer.err
    assert len(json.loads(answer.out)["left_out"]) == 1


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("accuracy 83.00%  (95 % interval 78.00% to 87.00%), 300 texts", "accuracy 83.00%, 300 texts"),
        ("Pearson 0.5  (95 % interval -0.1 to 0.7)", "Pearson 0.5"),
        ("BLEU 1.00  (95 % interval 0.50 to 1.50)  nrefs:1|case:mixed", "BLEU 1.00  nrefs:1|case:mixed"),
        ("0.5 bits a character (0.3 nats)", "0.5 bits a character (0.3 nats)"),
    ],
)
def test_an_interval_is_taken_out_and_nothing_else(line: str, kept: str) -> None:
    assert without_interval(line) == kept
