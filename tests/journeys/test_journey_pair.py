"""Pairs of texts, given to a trained model in every way that there is; what is no pair is told."""

import json
from collections.abc import Callable
from math import fsum
from pathlib import Path
from typing import Any

import pytest

from heed import api

# What `conftest.py` makes; its answers have `code`, `out` and `err`.
Heed = Callable[..., Any]
PAIRS = [("one two", "one two"), ("three", "four five"), ("six", "one six seven")]
TABS = "".join(f"{first}\t{second}\n" for first, second in PAIRS)


@pytest.fixture
def expected(pair_runs: Path) -> list[str]:
    """Return what the model of labels says of the pairs, as a person reads it."""
    found = api.load(pair_runs / "labels").predict(PAIRS)
    return [f"{each.label}\t{each.probability:.4f}" for each in found]


def test_two_texts_on_the_line_are_one_pair(heed: Heed, pair_runs: Path, folder: Path, expected: list[str]) -> None:
    for (first, second), line in zip(PAIRS, expected, strict=True):
        answer = heed("predict", pair_runs / "labels", first, second)
        assert answer.code == 0, answer.err
        assert answer.out.splitlines() == [line]
        assert answer.err == ""


@pytest.mark.parametrize(
    ("name", "text", "options"),
    [
        ("pairs.tsv", TABS, ()),
        ("pairs.tsv", f"sentence1\tsentence2\n{TABS}", ()),
        ("pairs.tsv", f"left\tright\n{TABS}", ("--columns", "left,right")),
        ("pairs.csv", "id,b,a\n" + "".join(f"7,{second},{first}\n" for first, second in PAIRS), ("--columns", "a,b")),
        ("pairs.jsonl", "".join(json.dumps({"text1": a, "text2": b}) + "\n" for a, b in PAIRS), ()),
        ("pairs.txt", TABS, ()),
    ],
    ids=["without names", "usual names", "other names", "other order", "objects", "lines"],
)
def test_a_file_of_pairs_is_read_row_by_row(
    heed: Heed, pair_runs: Path, folder: Path, expected: list[str], name: str, text: str, options: tuple[str, ...]
) -> None:
    Path(name).write_text(text)
    answer = heed("predict", pair_runs / "labels", name, *options)
    assert answer.code == 0, answer.err
    assert answer.out.splitlines() == expected


def test_lines_of_standard_input_have_a_tab_between_the_texts(
    heed: Heed, pair_runs: Path, folder: Path, expected: list[str]
) -> None:
    assert heed("predict", pair_runs / "labels", stdin=TABS.encode()).out.splitlines() == expected


def test_json_has_both_texts_in_their_order_and_every_label(heed: Heed, pair_runs: Path, folder: Path) -> None:
    found = json.loads(heed("predict", pair_runs / "labels", "one zebra", "two", "--json").out)
    assert found["texts"] == ["one zebra", "two"]
    assert set(found["probabilities"]) == {"same", "other"}
    assert found["unknown"] == 1


def test_a_run_of_numbers_prints_a_number(heed: Heed, pair_runs: Path, folder: Path) -> None:
    answer = heed("predict", pair_runs / "numbers", stdin=TABS.encode())
    found = api.load(pair_runs / "numbers").predict(PAIRS)
    assert answer.out.splitlines() == [f"{each.number:.4f}" for each in found]


def test_an_evaluation_saves_the_number_of_each_pair_in_order(heed: Heed, pair_runs: Path, judged: Path) -> None:
    answer = heed("evaluate", pair_runs / "numbers", "numbers.tsv", "--save", "found.txt", "--json")
    assert answer.code == 0, answer.err
    saved = [float(line) for line in Path("found.txt").read_text().splitlines()]
    expected = [float(line.split("\t")[2]) for line in Path("numbers.tsv").read_text().splitlines()[1:]]
    errors = [(found - right) ** 2 for found, right in zip(saved, expected, strict=True)]
    found = json.loads(answer.out)
    parts = [found["scores"], found["validation"]["scores"], found["training"]["scores"]]
    assert sum(part["mean_squared_error"] * part["count"] for part in parts) == pytest.approx(fsum(errors), rel=1e-4)


@pytest.mark.parametrize(
    ("inputs", "stdin", "code", "said"),
    [
        (("one",), "", 2, "A pair is two texts; 1 came."),
        (("one", "two", "three"), "", 2, "A pair is two texts; 3 came."),
        ((), "one\ttwo\nthree\n", 1, "line 2: 1 text(s) between tabs: 'three'."),
        ((), "one\ttwo\tthree\n", 1, "line 1: 3 text(s) between tabs"),
        (("source.txt",), "", 1, "source.txt:1: 1 text(s) between tabs"),
        (("pairs.csv", "--columns", "fr"), "", 2, "--columns is 'fr'. Give 2 name(s)"),
    ],
    ids=["one", "three", "no tab", "two tabs", "a file without tabs", "one column"],
)
def test_what_is_no_pair_is_one_sentence(
    heed: Heed, pair_runs: Path, folder: Path, inputs: tuple[str, ...], stdin: str, code: int, said: str
) -> None:
    answer = heed("predict", pair_runs / "labels", *inputs, stdin=stdin.encode())
    assert answer.code == code
    assert said in answer.err
    assert len(answer.err.splitlines()) == 1
