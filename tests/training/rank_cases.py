"""Every kind of task with everything that is random in its training, so small that a step takes milliseconds.

Dropout is the default of each model unless a case is about another share. Texts are of many lengths, so that the
shares of ranks are padded in other ways than the whole batch.
"""

import json
import random
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "runs"))
from pictured import write_captions, write_pictures

WORDS = ("one", "two", "three", "four", "five", "six", "seven")
# The whole learning rate from the first step on, so that a difference shows; no validation, for none is compared.
TRAINING = {"steps": 1000, "warmup": 0.0, "tokens_per_batch": 160, "validations": 1, "threads": 1, "average": 0.5}
SIZES = {"width": 8, "heads": 2, "feedforward": 12}
BERT = {"kind": "bert", **SIZES, "layers": 1, "longest": 40}
LOOKING = {"image": 16, "patch": 8, **SIZES, "layers": 3, "drop_path": 0.3, "dropout": 0.1}
ALL_MIXED = {"mixup": 0.5, "cutmix": 0.5, "erase": 0.5, "operations": 2}


@dataclass(frozen=True)
class Case:
    """What is trained."""

    task: str
    write: Callable[[Path], Path]
    settings: Mapping[str, object]
    model: str | None = None
    training: Mapping[str, object] = field(default_factory=dict)

    def whole_settings(self) -> dict[str, object]:
        """Return the settings of its run."""
        return {**self.settings, "training": {**TRAINING, **self.training}}


def texts(count: int) -> list[str]:
    """Return made-up texts of one to nine words."""
    draw = random.Random(4)
    return [" ".join(draw.choices(WORDS, k=draw.randint(1, 9))) for _ in range(count)]


def write_pairs(folder: Path) -> Path:
    """Write pairs of a text and the text backwards."""
    rows = (f"{text}\t{' '.join(reversed(text.split()))}\n" for text in texts(90))
    return _written(folder / "pairs.tsv", "".join(rows))


def write_labelled(folder: Path) -> Path:
    """Write texts, labelled by whether the number of their words is odd."""
    rows = (f"{text} {number},{len(text.split()) % 2}\n" for number, text in enumerate(texts(90)))
    return _written(folder / "labelled.csv", "text,label\n" + "".join(rows))


def write_judged(folder: Path) -> Path:
    """Write pairs of texts with a number."""
    rows = (f"{text} {number}\t{text}\t{number % 7 / 2}\n" for number, text in enumerate(texts(90)))
    return _written(folder / "judged.tsv", "sentence1\tsentence2\tlabel\n" + "".join(rows))


def write_tagged(folder: Path) -> Path:
    """Write sentences in which every one is a number."""
    sentences = ("\n".join(f"{word} {'B-N' if word == 'one' else 'O'}" for word in text.split()) for text in texts(90))
    return _written(folder / "tagged.conll", "\n\n".join(sentences) + "\n")


def write_questions(folder: Path) -> Path:
    """Write questions that a word of their paragraph answers; some paragraphs are of two windows."""
    paragraphs = []
    for number, text in enumerate(texts(60)):
        answer = {"text": text.split()[0], "answer_start": 0}
        asked = {"id": str(number), "question": f"which is {number} ?", "answers": [answer]}
        paragraphs.append({"context": f"{text} and {number}", "qas": [asked]})
    return _written(folder / "questions.json", json.dumps({"data": [{"title": "t", "paragraphs": paragraphs}]}))


def write_lines(folder: Path) -> Path:
    """Write a running text."""
    return _written(folder / "lines.txt", "\n".join(texts(200)))


def write_documents(folder: Path) -> Path:
    """Write documents with an empty line between them."""
    lines = [f"{text} .{'' if number % 3 else chr(10)}" for number, text in enumerate(texts(600))]
    return _written(folder / "documents.txt", "\n".join(lines) + "\n")


def _written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def _pictures(folder: Path) -> Path:
    return write_pictures(folder / "pictures")


def _captions(folder: Path) -> Path:
    return write_captions(folder / "captioned")


LAYERS = {"encoder_layers": 1, "decoder_layers": 1}
VIT = {"model": {**LOOKING, "pooling": "first", "stem": "patches"}, "pictures": {"workers": 0}}
FEW_PICTURES = {"tokens_per_batch": 7 * 6}  # five positions each, and one for the label: seven at a time

CASES: dict[str, Case] = {
    "translate": Case("translate", write_pairs, {"model": {**SIZES, **LAYERS}}),
    "translate, accumulated": Case(
        "translate", write_pairs, {"model": {**SIZES, **LAYERS}}, training={"accumulate": 2, "tokens_per_batch": 90}
    ),
    "translate, attention dropped": Case(
        "translate", write_pairs, {"model": {**SIZES, **LAYERS, "attention_dropout": 0.2}}
    ),
    "translate, additive attention dropped": Case(
        "translate", write_pairs, {"model": {**SIZES, **LAYERS, "attention_dropout": 0.2, "score": "additive"}}
    ),
    "translate, batch norm": Case("translate", write_pairs, {"model": {**SIZES, **LAYERS, "norm": "batch"}}),
    "translate, two layers of lstm": Case("translate", write_pairs, {"model": {"width": 8, "layers": 2}}, "lstm"),
    "translate, two layers of gru one step at a time": Case(
        "translate", write_pairs, {"model": {"width": 8, "layers": 2, "order": "bahdanau"}}, "gru"
    ),
    "classify": Case("classify", write_labelled, {"model": {**SIZES, "layers": 1}}, "transformer"),
    "classify, two layers of lstm": Case(
        "classify", write_labelled, {"model": {"width": 8, "embedding": 6, "layers": 2}}, "lstm"
    ),
    "classify, filters": Case("classify", write_labelled, {"model": {"embedding": 8, "filters": 4}}, "textcnn"),
    "classify, bert": Case("classify", write_labelled, {"model": {**BERT, "word_dropout": 0.3}}),
    "classify, batch norm": Case(
        "classify",
        write_labelled,
        {"model": {**SIZES, "layers": 1, "norm": "batch", "positions": "sinusoid"}},
        "transformer",
        {"tokens_per_batch": 24},  # batches of one to five texts: some ranks have none
    ),
    "pair": Case("pair", write_judged, {"model": {**SIZES, "layers": 1}}, "transformer"),
    "pair, towers": Case(
        "pair", write_judged, {"model": {**SIZES, "layers": 1, "segments": 0}, "reading": "towers"}, "transformer"
    ),
    "pair, towers, batch norm": Case(
        "pair",
        write_judged,
        {"model": {**SIZES, "layers": 1, "segments": 0, "norm": "batch"}, "reading": "towers"},
        "transformer",
        {"tokens_per_batch": 40},
    ),
    "tag": Case("tag", write_tagged, {"model": {"width": 8, "embedding": 6}}, "gru"),
    "tag, transformer": Case("tag", write_tagged, {"model": {**SIZES, "layers": 1}}, "transformer"),
    "answer": Case("answer", write_questions, {"model": {**SIZES, "layers": 1, "word_dropout": 0.2}}, "transformer"),
    "write": Case("write", write_lines, {"model": {**SIZES, "layers": 1, "longest": 16}}),
    "pretrain": Case("pretrain", write_documents, {"model": BERT, "length": 24}),
    "image": Case("image", _pictures, VIT, training=FEW_PICTURES),
    "image, all mixed, adamw": Case(
        "image",
        _pictures,
        {**VIT, "augmentation": ALL_MIXED},
        training={**FEW_PICTURES, "optimizer": "adamw", "accumulate": 2},
    ),
    "caption": Case(
        "caption",
        _captions,
        {"model": {**SIZES, "layers": 1, "encoder": LOOKING}, "pictures": {"workers": 0}},
    ),
    "caption, lstm": Case(
        "caption", _captions, {"model": {"width": 8, "encoder": LOOKING}, "pictures": {"workers": 0}}, "lstm"
    ),
}
