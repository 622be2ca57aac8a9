"""Runs of every task, so small that each is trained in a second; no test changes them."""

import json
import random
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from heed import api
from heed.machine import Bf16Probe, probe_bf16

sys.path.insert(0, str(Path(__file__).parents[1] / "runs"))
from pictured import write_captions, write_pictures

WORDS = ("one", "two", "three", "four", "five", "six", "seven")
QUICK = {"steps": 3, "tokens_per_batch": 300, "validations": 1, "threads": 1, "average": 0.5}
DECODED = ("translate", "answer", "pretrain", "caption")  # tasks that score some of the validation examples
SIZES = {"width": 8, "heads": 2, "feedforward": 12, "dropout": 0.3}
LOOKING = {"image": 16, "patch": 8, **SIZES, "layers": 1}
BERT = {"kind": "bert", "width": 8, "heads": 2, "layers": 1, "feedforward": 12, "longest": 40}


def texts(count: int) -> list[str]:
    """Return made-up texts of one to six words."""
    draw = random.Random(4)
    return [" ".join(draw.choices(WORDS, k=draw.randint(1, 6))) for _ in range(count)]


def write_pairs(folder: Path) -> Path:
    """Write pairs of a text and the text backwards."""
    rows = (f"{text}\t{' '.join(reversed(text.split()))}\n" for text in texts(120))
    return _written(folder / "pairs.tsv", "".join(rows))


def write_labelled(folder: Path) -> Path:
    """Write texts, labelled by the number of their words."""
    rows = (f"{text} {number},{len(text.split()) % 2}\n" for number, text in enumerate(texts(120)))
    return _written(folder / "labelled.csv", "text,label\n" + "".join(rows))


def write_judged(folder: Path) -> Path:
    """Write pairs of texts with a number."""
    rows = (f"{text} {number}\t{text}\t{number % 7 / 2}\n" for number, text in enumerate(texts(90)))
    return _written(folder / "judged.tsv", "sentence1\tsentence2\tlabel\n" + "".join(rows))


def write_tagged(folder: Path) -> Path:
    """Write sentences in which every one is a number."""
    rows = (f"{word} {'B-N' if word == 'one' else 'O'}" for text in texts(90) for word in (*text.split(), ""))
    lines = ("" if row == " O" else row for row in rows)
    return _written(folder / "tagged.conll", "\n".join(lines) + "\n")


def write_questions(folder: Path) -> Path:
    """Write questions that a word of their paragraph answers."""
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
    lines = [f"{text} .{'' if number % 3 else chr(10)}" for number, text in enumerate(texts(900))]
    return _written(folder / "documents.txt", "\n".join(lines) + "\n")


def _written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


Made = tuple[str, Callable[[Path], Path], str | None, Mapping[str, object]]
RUNS: dict[str, Made] = {
    "translate": ("translate", write_pairs, None, {"model": {**SIZES, "encoder_layers": 1, "decoder_layers": 1}}),
    "translate-marian": (
        "translate",
        write_pairs,
        None,
        {
            "model": {
                **SIZES,
                "encoder_layers": 1,
                "decoder_layers": 1,
                "positions": "sinusoid-concat",
                "norm_place": "after",
            }
        },
    ),
    "translate-rnn": ("translate", write_pairs, "lstm", {"model": {"width": 8}}),
    "classify": ("classify", write_labelled, None, {"model": {**SIZES, "layers": 1, "positions": "sinusoid"}}),
    "classify-norm": ("classify", write_labelled, None, {"model": {**SIZES, "layers": 1, "norm": "batch"}}),
    "classify-norm-bf16": (
        "classify",
        write_labelled,
        None,
        {"model": {**SIZES, "layers": 1, "norm": "batch"}, "training": {**QUICK, "precision": "bf16"}},
    ),
    "classify-bf16": (
        "classify",
        write_labelled,
        None,
        {"model": {**SIZES, "layers": 1}, "training": {**QUICK, "precision": "bf16"}},
    ),
    "classify-compiled": (
        "classify",
        write_labelled,
        None,
        {"model": {**SIZES, "layers": 1}, "training": {**QUICK, "compile": True}},
    ),
    "classify-cnn": ("classify", write_labelled, "textcnn", {"model": {"embedding": 8, "filters": 4}}),
    "classify-tfidf": ("classify", write_labelled, "tfidf", {}),
    "classify-bert": ("classify", write_labelled, None, {"model": BERT}),
    "pair": ("pair", write_judged, None, {"model": {**SIZES, "layers": 1}}),
    "pair-towers": (
        "pair",
        write_judged,
        None,
        {"model": {**SIZES, "layers": 1, "segments": 0}, "reading": "towers"},
    ),
    "pair-bert": ("pair", write_judged, None, {"model": BERT}),
    "tag": ("tag", write_tagged, "gru", {"model": {"width": 8, "embedding": 6}}),
    "tag-transformer": ("tag", write_tagged, "transformer", {"model": {**SIZES, "layers": 1}}),
    "answer": ("answer", write_questions, None, {"model": {**SIZES, "layers": 1}}),
    "write": ("write", write_lines, None, {"model": {**SIZES, "layers": 1, "longest": 16}}),
    "write-gpt2": (
        "write",
        write_lines,
        "gpt2",
        {"model": {**SIZES, "layers": 1, "longest": 16}},
    ),
    "write-rnn": ("write", write_lines, "gru", {"model": {"width": 8, "embedding": 6, "longest": 8}}),
    "pretrain": ("pretrain", write_documents, None, {"model": BERT, "length": 24}),
    "image": (
        "image",
        lambda folder: write_pictures(folder / "pictures"),
        None,
        {"model": {**LOOKING, "pooling": "first", "stem": "patches"}, "pictures": {"workers": 0}},
    ),
    "caption": (
        "caption",
        lambda folder: write_captions(folder / "captioned"),
        None,
        {"model": {**SIZES, "layers": 1, "encoder": LOOKING}, "pictures": {"workers": 0}},
    ),
    "vectors": ("vectors", write_lines, None, {"model": {"width": 8, "epochs": 1}}),
}


@pytest.fixture(scope="session")
def recipes() -> Mapping[str, Made]:
    """Return of each run its task, what writes its data, its model and its settings."""
    return RUNS


@pytest.fixture(scope="session")
def probe() -> Bf16Probe:
    """Return what a child process found about bfloat16, once for all tests."""
    return probe_bf16()


@pytest.fixture
def bf16(probe: Bf16Probe, monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip where this computer does not multiply in bfloat16; the instructions may be announced and still kill."""
    if not probe.works or probe.isa is not None:
        pytest.skip(f"bfloat16: {probe.reason}")
    monkeypatch.setattr("heed.runs.preparing.probe_bf16", lambda: probe)


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a maker of runs by name; each is trained once."""
    folder = tmp_path_factory.mktemp("verified")

    def make(name: str) -> Path:
        task, write, model, settings = RUNS[name]
        out = folder / name
        if not out.exists():
            place = folder / f"data-{name}"
            place.mkdir()
            words = {} if task in ("image", "vectors") or model == "tfidf" else {"tokens": {"kind": "words"}}
            quick = {**QUICK, "validation_texts": 2} if task in DECODED else QUICK
            training = {} if task == "vectors" or model == "tfidf" else {"training": quick}
            api.train(task, str(write(place)), model=model, settings={**words, **training, **settings}, out=out)
        return out

    return make
