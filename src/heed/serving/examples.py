"""`examples_of`: a few inputs to try a model with, ready before it has loaded.

They come from the built-in corpus that the run was trained on, from its validation part. A run with data of its own has
kept what its validations showed; other inputs are from the demo of its task. Never from files that a run's settings
name: a run that came from elsewhere could name any file of this machine, and the server would show it to its clients.
"""

import base64
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeVar

from heed.data.demos import (
    CAPTION_DEMOS,
    DEMOS,
    IMAGE_DEMOS,
    QUESTION_DEMOS,
    TAGGED_DEMOS,
    TEXT_DEMOS,
    labelled_demos,
    load_caption_demo,
    load_demo,
    load_image_demo,
    load_labelled_demo,
    load_question_demo,
    load_tagged_demo,
    load_text_demo,
)
from heed.data.records import ImageSource
from heed.errors import HeedError
from heed.files.images import read_image
from heed.reporting.samples import read_samples
from heed.serving.models import ServedRun
from heed.serving.requests import Input, Picture
from heed.tokens.masked_text import GAP

COUNT = 5  # that are offered of a model
ROUNDS = 4  # through the corpus, since examples may be alike, too long, or of one label
LONGEST = 2_000  # characters of one; longer ones are passed over
NO_ANSWER = "(no answer)"
KEPT = "the validation data"

Record = TypeVar("Record")


@dataclass(frozen=True)
class Example:
    """An input, and what a person says of it, where that is known."""

    input: Input
    expected: str | None = None


@dataclass(frozen=True)
class Examples:
    """Inputs to try a model with, and the corpus they are from."""

    model: str
    origin: str
    own: bool  # whether the model was trained on the same corpus
    examples: tuple[Example, ...]


def examples_of(run: ServedRun) -> Examples:
    """Return inputs to try a run with; of a task that is not known, none."""
    known = _demos_of(run.task)
    name = _origin_of(run).removeprefix("demo:")
    own = name in known
    chosen = name if own else next(iter(known), "")
    kept = () if own else _kept(run)
    found = _examples(run.task, chosen) if chosen and not kept else ()
    return Examples(run.name, KEPT if kept else f"demo:{chosen}" if chosen else "", own or bool(kept), kept or found)


def _kept(run: ServedRun) -> tuple[Example, ...]:
    """Return the inputs that the validations of a run have shown, each once; only those that are one plain text."""
    if run.task not in ("classify", "tag", "translate", "write"):
        return ()
    shown = {sample.source: sample.expected for sample in read_samples(run.folder).samples}
    short = [(source, expected) for source, expected in shown.items() if source.strip() and len(source) <= LONGEST]
    return tuple(Example(source, expected) for source, expected in short[:COUNT])


def _origin_of(run: ServedRun) -> str:
    try:
        return str(run.folder.read_data_facts().get("origin"))
    except HeedError:  # it is told where the model is loaded
        return ""


def _demos_of(task: str) -> tuple[str, ...]:
    """Return the names of the corpora that are made for a task, the usual one first."""
    match task:
        case "classify" | "pretrain":
            return labelled_demos(1)
        case "pair":
            return labelled_demos(2)
        case "tag":
            return TAGGED_DEMOS
        case "answer":
            return QUESTION_DEMOS
        case "translate":
            return DEMOS
        case "write":
            return TEXT_DEMOS
        case "image":
            return IMAGE_DEMOS
        case "caption":
            return CAPTION_DEMOS
        case "vectors":
            return ("royals",)
        case _:
            return ()


@cache
def _examples(task: str, demo: str) -> tuple[Example, ...]:
    match task:
        case "classify":
            return _some(load_labelled_demo(demo).valid, lambda each: Example(each.texts[0], each.label))
        case "pretrain":
            return _some(load_labelled_demo(demo).valid, lambda each: _with_gap(each.texts[0]))
        case "pair":
            return _some(load_labelled_demo(demo).valid, lambda each: Example(list(each.texts), each.label))
        case "tag":
            return _some(load_tagged_demo(demo).valid, lambda each: Example(each.text))
        case "answer":
            return _some(
                load_question_demo(demo).valid,
                lambda each: Example(
                    [each.question, each.context], each.answers[0].text if each.answers else NO_ANSWER
                ),
            )
        case "translate":
            return _some(load_demo(demo).valid, lambda each: Example(each.source, each.target))
        case "write":
            return _some(load_text_demo(demo).valid.split(), lambda each: Example(each[: max(1, len(each) // 2)]))
        case "image":
            return _some(load_image_demo(demo).valid, lambda each: Example(_drawn(each.source), each.label))
        case "caption":
            return _some(load_caption_demo(demo).valid, lambda each: Example(_drawn(each.source), each.captions[0]))
        case "vectors":
            return tuple(map(Example, ("king - man + woman", "paris - france + italy", "queen", "boy")))
        case _:
            return ()


def _some(records: Sequence[Record], example: Callable[[Record], Example]) -> tuple[Example, ...]:
    """Return examples of some records from all over the corpus, no two alike, and of as many labels as there are."""
    found: dict[str, Example] = {}
    for behind in range(ROUNDS):
        for number in range(COUNT):
            # One further each time: where kinds take turns, equal steps would meet the same kind again and again.
            made = example(records[(number * len(records) // COUNT + number + behind) % len(records)])
            key = str(made.input)
            if isinstance(made.input, Picture) or len(key) <= LONGEST:
                found.setdefault(key, made)
    return tuple(_labels_in_turn(found.values())[:COUNT])


def _labels_in_turn(examples: Iterable[Example]) -> list[Example]:
    """Return the first example of each label, then the second of each, and so on."""
    before, turns = Counter[str | None](), list[tuple[int, Example]]()
    for each in examples:
        turns.append((before[each.expected], each))
        before[each.expected] += 1
    return [each for _, each in sorted(turns, key=lambda turn: turn[0])]


def _with_gap(text: str) -> Example:
    """Return a text with a gap for its longest word."""
    words: list[str] = re.findall(r"\w+", text)
    longest = max(words, key=len, default="")
    return Example(text.replace(longest, GAP, 1) if longest else GAP, longest or None)


def _drawn(source: ImageSource) -> Picture:
    stream = io.BytesIO()
    image = read_image(source) if isinstance(source, Path) else source.draw()
    image.save(stream, "PNG")
    return Picture(picture=base64.b64encode(stream.getvalue()).decode())
