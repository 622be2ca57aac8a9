"""A lecturer's way: every worked example on the command line, in numbers, as JSON and as a picture."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from heed.cli.shown_text import WIDEST
from heed.inspection.topic_list import TOPICS

# What `conftest.py` makes; its answers have `code`, `out` and `err`.
Heed = Callable[..., Any]
Refused = Callable[[Sequence[object], int, str], None]

QUICK = sorted(set(TOPICS) - {"bottleneck"})
OWN = {
    "scores": ("--matrix", "1 0; 0 1; 1 1"),
    "self-attention": ("--text", "a cat sat"),
    "mask": ("--matrix", "1 2; 3 4"),
    "positions": ("--text", "một hai ba", "--text", "một hai"),
    "norm": ("--matrix", "1 2; 3 5"),
    "heads": ("--matrix", "1 2 3; 4 5 6"),
    "greedy": ("--matrix", "0.5 0; 0.5 1"),
    "beam": ("--matrix", "0.5 0; 0.5 1"),
    "bert-input": ("--text", "Hà Nội mùa thu"),
    "patches": ("--image", "own.png"),
    "hello": ("--text", "abba"),
    "residual": ("--text", "mưa rơi"),
    "activations": ("--matrix", "-1 0 1"),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder of the test: a picture, and nothing else."""
    monkeypatch.chdir(tmp_path)
    Image.new("RGB", (40, 30), (200, 30, 90)).save("own.png")
    return tmp_path


@pytest.mark.parametrize("topic", QUICK)
def test_a_topic_prints_numbers_that_fit_a_terminal_and_says_how_to_draw_it(topic: str, heed: Heed) -> None:
    answer = heed("show", topic)
    assert answer.code == 0
    assert all(line.endswith("…") for line in answer.err.splitlines()), "only progress, where the computer is slow"
    said = answer.out.splitlines()
    assert max(map(len, said)) <= WIDEST
    assert said[-1] == f"Draw it: heed show {topic} --out {topic}.png"


@pytest.mark.parametrize("topic", QUICK)
def test_a_topic_takes_the_readers_own_input_and_gives_json_and_a_picture(topic: str, heed: Heed) -> None:
    answer = heed("show", topic, *OWN[topic], "--json", "--out", "new/own.svg")
    assert (answer.code, answer.err) == (0, "")
    shown = json.loads(answer.out)
    assert shown["topic"] == topic
    assert [part["cells"] for part in shown["parts"] if "cells" in part]
    assert {panel["kind"] for panel in shown["panels"]} <= {"heat map", "curves", "tree", "boxes", "picture"}
    assert Path("new/own.svg").read_text().startswith("<?xml")


def test_a_picture_is_written_where_it_was_asked_for_and_named(heed: Heed) -> None:
    answer = heed("show", "mask", "--out", "mask.png")
    assert answer.out.splitlines()[-1] == "The picture is in mask.png"
    with Image.open("mask.png") as picture:
        assert min(picture.size) > 300


@pytest.mark.slow
def test_the_bottleneck_is_trained_shown_and_drawn(heed: Heed) -> None:
    answer = heed("show", "bottleneck", "--text", "abcab", "--out", "bottleneck.png")
    assert answer.code == 0
    assert "thought vector" in answer.out
    assert Path("bottleneck.png").exists()


def test_without_a_topic_all_are_listed_with_what_they_take(heed: Heed) -> None:
    answer = heed("show")
    assert answer.code == 0
    for name, topic in TOPICS.items():
        assert f"  {name:<15} {topic.line}" in answer.out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("masks",), 2, "There is no topic 'masks'. Did you mean mask?"),
        (("attention",), 2, "Did you mean self-attention"),
        (("xyz",), 2, "Choose one of: scores, self-attention"),
        (("mask", "--text", "hello"), 2, "Topic mask takes no --text. It takes --matrix (scores"),
        (("hello", "--image", "own.png"), 2, "Topic hello takes no --image. It takes --text"),
        (("mask", "--matrix", "1 2"), 1, "has 1 rows and 2 columns"),
        (("patches", "--image", "absent.png"), 1, "absent.png does not exist"),
        (("mask", "--out", "mask.gif"), 2, "'.gif'"),
        (("hello", "--text", ""), 2, "'' is empty"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_a_sentence(
    arguments: tuple[str, ...], code: int, said: str, check_refused: Refused
) -> None:
    check_refused(("show", *arguments), code, said)
