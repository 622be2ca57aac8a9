"""Every task with numbered examples: no two numbers have the same input, so files can share some and not others."""

import json
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pictured import COLOURS, noisy_picture

WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
TRAINING = {"steps": 2, "validations": 1, "threads": 1, "tokens_per_batch": 200}
ENCODER = {"width": 16, "heads": 2, "layers": 1, "feedforward": 24, "longest": 64}
VIT = {"image": 16, "patch": 8, "width": 12, "heads": 2, "layers": 1, "feedforward": 20}
TOKENS = {"kind": "words"}
WINDOWS = {"stride": 8, "longest_question": 8}

Write = Callable[[Path, Iterable[int], str], str]  # path without suffix, numbers, a word to put in each text


@dataclass(frozen=True)
class SmallTask:
    """A task that trains in a second, and how its data is written."""

    task: str
    settings: dict[str, Any]
    write: Write
    noun: str
    many: int = 1  # examples that one number makes at the least


def words_of(number: int, count: int = 6) -> list[str]:
    """Return some words, and the number, so that no two are alike."""
    return [*random.Random(number).choices(WORDS, k=count), f"n{number}"]


def _pairs(path: Path, numbers: Iterable[int], word: str) -> str:
    rows = [" ".join([*words_of(number), word]).strip() for number in numbers]
    path = path.with_suffix(".tsv")
    path.write_text("".join(f"{row}\t{' '.join(reversed(row.split()))}\n" for row in rows))
    return str(path)


def _labelled(path: Path, numbers: Iterable[int], word: str) -> str:
    path = path.with_suffix(".csv")
    rows = [f"{' '.join([*words_of(number), word])},{'odd' if number % 2 else 'even'}\n" for number in numbers]
    path.write_text("text,label\n" + "".join(rows))
    return str(path)


def _judged(path: Path, numbers: Iterable[int], word: str) -> str:
    path = path.with_suffix(".tsv")
    sides = [(" ".join([*words_of(number), word]), " ".join(words_of(number + 500)), number % 2) for number in numbers]
    rows = [f"{first}\t{second}\t{'odd' if odd else 'even'}\n" for first, second, odd in sides]
    path.write_text("sentence1\tsentence2\tlabel\n" + "".join(rows))
    return str(path)


def _tagged(path: Path, numbers: Iterable[int], word: str) -> str:
    path = path.with_suffix(".conll")
    sentences = [
        "".join(f"{each} {'B-n' if each == f'n{number}' else 'O'}\n" for each in [*words_of(number), word] if each)
        for number in numbers
    ]
    path.write_text("\n".join(sentences))
    return str(path)


def _questions(path: Path, numbers: Iterable[int], word: str) -> str:
    path = path.with_suffix(".json")
    paragraphs = []
    for number in numbers:
        context = f"{' '.join(words_of(number))} {word} ."
        answers = [{"text": f"n{number}", "answer_start": context.index(f"n{number}")}]
        paragraphs.append(
            {"context": context, "qas": [{"id": f"q{number}", "question": "which one ?", "answers": answers}]}
        )
    path.write_text(json.dumps({"data": [{"title": "t", "paragraphs": paragraphs}]}))
    return str(path)


def _lines(path: Path, numbers: Iterable[int], word: str) -> str:
    path = path.with_suffix(".txt")
    path.write_text("".join(" ".join([*words_of(number, 40), word]).strip() + "\n" for number in numbers))
    return str(path)


def _documents(path: Path, numbers: Iterable[int], word: str) -> str:
    path = path.with_suffix(".txt")
    texts = [f"{' '.join(words_of(number))} {word}.\nThen {' '.join(words_of(number + 500))}.\n" for number in numbers]
    path.write_text("\n".join(texts))
    return str(path)


def _images(path: Path, numbers: Iterable[int], word: str) -> str:
    for number in numbers:
        name, colour = list(COLOURS.items())[number % 3]
        (path / name).mkdir(parents=True, exist_ok=True)
        noisy_picture(colour, number).save(path / name / f"{number:03}.png")
    return str(path)


def _captions(path: Path, numbers: Iterable[int], word: str) -> str:
    numbers = list(numbers)
    _images(path, numbers, word)
    names = list(COLOURS)
    rows = [
        f"{names[number % 3]}/{number:03}.png,{f'a {names[number % 3]} image {word}'.strip()}\n" for number in numbers
    ]
    (path / "captions.csv").write_text("path,caption\n" + "".join(rows))
    return str(path / "captions.csv")


def _settings(model: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"tokens": TOKENS, "model": model, "training": TRAINING, **more}


TRANSLATOR = {"width": 16, "heads": 2, "encoder_layers": 1, "decoder_layers": 1, "feedforward": 24, "longest": 24}
TEXTCNN = {"kind": "textcnn", "embedding": 12, "filters": 6}
LINEAR = {"kind": "tfidf", "characters": None, "svm_strengths": [1.0], "logistic_strengths": [1.0]}
CAPTIONER = {"encoder": VIT, "width": 16, "heads": 2, "layers": 1, "feedforward": 24, "longest": 8}
IMAGES = {"model": VIT, "training": {**TRAINING, "tokens_per_batch": 50}}
EVERY = {
    "translate": SmallTask("translate", _settings(TRANSLATOR), _pairs, "pairs"),
    "classify": SmallTask("classify", _settings(TEXTCNN), _labelled, "texts"),
    "classify by tfidf": SmallTask("classify", {"model": LINEAR}, _labelled, "texts"),
    "pair": SmallTask("pair", _settings(TEXTCNN), _judged, "pairs of texts"),
    "tag": SmallTask("tag", _settings({"kind": "rnn", "width": 16, "embedding": 12}), _tagged, "sentences"),
    "answer": SmallTask(
        "answer", _settings({"kind": "transformer", **ENCODER}, windows=WINDOWS), _questions, "questions"
    ),
    "write": SmallTask("write", _settings({**ENCODER, "longest": 12}), _lines, "passages", many=2),
    "pretrain": SmallTask("pretrain", _settings(ENCODER, length=24), _documents, "documents"),
    "image": SmallTask("image", IMAGES, _images, "images"),
    "caption": SmallTask("caption", _settings(CAPTIONER), _captions, "images"),
}


def settings_of(small: SmallTask, valid: str = "", test: str = "") -> dict[str, Any]:
    """Return the settings with files for validation and test."""
    data = {name: [path] for name, path in (("valid", valid), ("test", test)) if path}
    return {**small.settings, "data": data}
