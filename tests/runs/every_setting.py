"""What the walk over every setting needs: tiny data, a run of each task and model, another value for each setting.

A run is known by its fingerprint: all that can be observed of it. Two runs whose settings differ in one value must
differ in that, or the second must be refused.
"""

import json
import random
import shutil
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import torch
from pictured import noisy_picture, write_pictures

from heed import api
from heed.errors import HeedError
from heed.models.weights import weights_of
from heed.runs import pictures
from heed.runs.defaults import resolve
from heed.runs.run import Run, TrainerRun
from heed.runs.session import new_run
from heed.runs.settings import RunSettings
from heed.settings import to_dict, with_overrides

WORDS = ("One", "one", "two", "été", "ete", "four", "Five", "sixteen", "seven", "eighty")


def texts(count: int, shortest: int = 1, longest: int = 9, seed: int = 4) -> list[str]:
    """Return made-up texts, of which every fifth has a word that stands nowhere else."""
    draw = random.Random(seed)
    made = [draw.choices(WORDS, k=draw.randint(shortest, longest)) for _ in range(count)]
    return [" ".join([*words, *([f"rare{n}"] if n % 5 == 0 else [])]) for n, words in enumerate(made)]


def _table(path: Path, header: str, rows: Sequence[str]) -> str:
    path.write_text(f"{header}\n" + "".join(f"{row}\n" for row in rows))
    return str(path)


def _pairs(path: Path, seed: int) -> str:
    rows = [f"{text}\t{' '.join(reversed(text.split()))}\t{text.upper()}" for text in texts(40, seed=seed)]
    return _table(path / f"pairs{seed}.tsv", "source\ttarget\tother", rows)


def _labelled(path: Path, seed: int) -> str:
    rows = [f"{text} {n}\tx {text}\t{'good' if n % 3 else 'bad'}" for n, text in enumerate(texts(40, seed=seed))]
    return _table(path / f"labelled{seed}.tsv", "text\tother\tlabel", rows)


def _judged(path: Path, seed: int) -> str:
    rows = [
        f"{text} {n}\t{n} {text}\tx {n} {text}\t{'same' if n % 3 else 'not'}"
        for n, text in enumerate(texts(40, seed=seed))
    ]
    return _table(path / f"judged{seed}.tsv", "sentence1\tsentence2\tother\tlabel", rows)


def _measured(path: Path, seed: int) -> str:
    rows = [f"{text} {n}\t{n} {text}\tx {n} {text}\t{n % 7 / 2}" for n, text in enumerate(texts(40, seed=seed))]
    return _table(path / f"measured{seed}.tsv", "sentence1\tsentence2\tother\tlabel", rows)


def _tagged(path: Path, seed: int) -> str:
    lines = []
    for text in texts(40, seed=seed):
        lines += [
            f"{word} {'B-N' if word[0].isupper() else 'O'} {'B-N' if word == 'two' else 'O'}" for word in text.split()
        ]
        lines.append("")
    file = path / f"tagged{seed}.conll"
    file.write_text("\n".join(lines) + "\n")
    return str(file)


def _questions(path: Path, seed: int) -> str:
    paragraphs = []
    for number, text in enumerate(texts(90, shortest=14, longest=24, seed=seed)):
        answer = {"text": text.split()[3], "answer_start": len(" ".join(text.split()[:3])) + 1}
        asked = {"id": str(number), "question": f"which one is {number} of two ?", "answers": [answer]}
        paragraphs.append({"context": text, "qas": [asked]})
    file = path / f"questions{seed}.json"
    file.write_text(json.dumps({"data": [{"title": "t", "paragraphs": paragraphs}]}))
    return str(file)


def _lines(path: Path, seed: int) -> str:
    file = path / f"lines{seed}.txt"
    file.write_text("\n".join(texts(120, seed=seed)))
    return str(file)


def _documents(path: Path, seed: int) -> str:
    rows = [f"{text} . {other} .\tx {text} ." for text, other in zip(texts(300), texts(300, seed=seed), strict=True)]
    return _table(path / f"documents{seed}.tsv", "text\tother", rows)


def _pictured(path: Path, seed: int) -> str:
    folder = write_pictures(path / f"pictures{seed}", each=6 + seed % 2)
    noisy_picture((9, 9, 9), 1).save(folder / "red" / "broken.png")
    (folder / "red" / "broken.png").write_bytes((folder / "red" / "broken.png").read_bytes()[:200])
    return str(folder)


def _captioned(path: Path, seed: int) -> str:
    folder = Path(_pictured(path, seed))
    files = sorted(folder.rglob("*.png"))
    rows = [f"{file}\t{file.parent.name} {text}\tx {text}" for file, text in zip(files, texts(len(files)), strict=True)]
    return _table(path / f"captions{seed}.tsv", "path\tcaption\tother", rows)


Writer = Callable[[Path, int], str]
SIZES = {"width": 8, "heads": 2, "feedforward": 12, "dropout": 0.1}
ENCODER = {**SIZES, "layers": 2, "longest": 8}
BERT = {"kind": "bert", **SIZES, "layers": 2, "longest": 12}
RNN = {"width": 8, "embedding": 8, "longest": 8}
VIT = {"image": 16, "patch": 8, **SIZES, "layers": 2, "stem": "patches", "pooling": "first"}
STEPS = {"steps": 2, "tokens_per_batch": 150, "validations": 2, "checkpoint_every": 1, "threads": 1}
SCORED = {**STEPS, "validation_texts": 3}
FEW = {**STEPS, "tokens_per_batch": 30}  # an image is five positions
ONE_WORKER = {"pictures": {"workers": 0}}


@dataclass(frozen=True)
class Case:
    """A task with a model, small enough to be trained a hundred times."""

    task: str
    model: str | None
    write: Writer
    settings: Mapping[str, object]
    base: str | None = None  # the case whose run it starts from


WORDS_ALONE = {"tokens": {"kind": "words", "size": 60}}
PIECES = {"tokens": {"kind": "bpe", "size": 60}}
CASES: dict[str, Case] = {
    "translate": Case(
        "translate",
        None,
        _pairs,
        {
            **WORDS_ALONE,
            "model": {**SIZES, "encoder_layers": 1, "decoder_layers": 1, "longest": 8},
            "training": SCORED,
        },
    ),
    "translate-untied": Case(
        "translate",
        None,
        _pairs,
        {
            **WORDS_ALONE,
            "model": {**SIZES, "encoder_layers": 2, "decoder_layers": 1, "longest": 8, "tie": "output"},
            "training": SCORED,
        },
    ),
    "translate-lstm": Case(
        "translate", "lstm", _pairs, {**WORDS_ALONE, "model": {"width": 8, "longest": 8}, "training": SCORED}
    ),
    "classify": Case("classify", "transformer", _labelled, {**PIECES, "model": ENCODER, "training": STEPS}),
    "classify-gru": Case("classify", "gru", _labelled, {**PIECES, "model": RNN, "training": STEPS}),
    "classify-gru-attention": Case(
        "classify", "gru", _labelled, {**PIECES, "model": {**RNN, "pooling": "attention"}, "training": STEPS}
    ),
    "classify-textcnn": Case(
        "classify",
        "textcnn",
        _labelled,
        {**PIECES, "model": {"embedding": 8, "filters": 4, "longest": 8}, "training": STEPS},
    ),
    "classify-textcnn-wide": Case(
        "classify",
        "textcnn-wide",
        _labelled,
        {**PIECES, "model": {"embedding": 8, "filters": 4, "longest": 8, "bag_rows": 31}, "training": STEPS},
    ),
    "classify-bert": Case("classify", None, _labelled, {**PIECES, "model": BERT, "training": STEPS}),
    "classify-tfidf": Case("classify", "tfidf", _labelled, {"model": {"minimum_count": 1}}),
    "pair": Case("pair", "transformer", _judged, {**PIECES, "model": ENCODER, "training": STEPS}),
    "pair-numbers": Case("pair", "lstm", _measured, {**PIECES, "outcome": "number", "model": RNN, "training": STEPS}),
    "pair-tfidf": Case("pair", "tfidf", _measured, {"outcome": "number", "model": {"minimum_count": 1}}),
    "tag": Case("tag", "lstm", _tagged, {**PIECES, "model": RNN, "training": STEPS}),
    "tag-transformer": Case("tag", "transformer", _tagged, {**PIECES, "model": ENCODER, "training": STEPS}),
    "tag-bert": Case("tag", None, _tagged, {**PIECES, "model": BERT, "training": STEPS}),
    "answer": Case(
        "answer",
        "transformer",
        _questions,
        {
            **PIECES,
            "model": {**ENCODER, "longest": 30},
            "windows": {"longest_question": 8, "stride": 4},
            "training": SCORED,
        },
    ),
    "answer-bert": Case(
        "answer",
        None,
        _questions,
        {
            **PIECES,
            "model": {**BERT, "longest": 30},
            "windows": {"longest_question": 8, "stride": 4},
            "training": SCORED,
        },
    ),
    "write": Case("write", "transformer", _lines, {"model": {**ENCODER, "longest": 16}, "training": STEPS}),
    "write-lstm": Case("write", "lstm", _lines, {"model": {**RNN, "longest": 16}, "training": STEPS}),
    "vectors": Case("vectors", "word2vec", _lines, {"model": {"width": 8, "minimum_count": 1, "window": 3}}),
    "vectors-glove": Case("vectors", "glove", _lines, {"model": {"width": 8, "minimum_count": 1, "window": 3}}),
    "pretrain": Case(
        "pretrain", None, _documents, {"tokens": {"size": 90}, "model": BERT, "length": 12, "training": SCORED}
    ),
    "pretrain-mlm": Case(
        "pretrain",
        None,
        _documents,
        {"tokens": {"size": 90}, "model": BERT, "length": 12, "objective": "mlm", "training": SCORED},
    ),
    "image": Case("image", None, _pictured, {**ONE_WORKER, "model": VIT, "training": FEW}),
    "caption": Case(
        "caption",
        "transformer",
        _captioned,
        {**ONE_WORKER, "model": {**ENCODER, "layers": 1, "encoder": VIT}, "training": SCORED},
    ),
    "caption-lstm": Case(
        "caption",
        "lstm",
        _captioned,
        {**ONE_WORKER, "model": {"width": 8, "longest": 8, "encoder": VIT}, "training": SCORED},
    ),
    "classify-from": Case("classify", None, _labelled, {"training": STEPS}, base="pretrain"),
    "tag-from": Case("tag", None, _tagged, {"training": STEPS}, base="pretrain"),
    "pretrain-from": Case("pretrain", None, _documents, {"training": SCORED}, base="pretrain"),
    "write-from": Case("write", None, _lines, {"training": STEPS}, base="write"),
    "write-lstm-from": Case("write", None, _lines, {"training": STEPS}, base="write-lstm"),
    "image-from": Case("image", None, _pictured, {**ONE_WORKER, "training": FEW}, base="image"),
    "caption-from": Case(
        "caption",
        "transformer",
        _captioned,
        {**ONE_WORKER, "model": {**ENCODER, "layers": 1}, "training": SCORED},
        base="image",
    ),
}


class Workshop:
    """A folder with the data of a case, in which runs of it are made."""

    def __init__(self, name: str, folder: Path) -> None:
        self.case = case = CASES[name]
        self.folder = folder
        self.data, self.other = case.write(folder, 4), case.write(folder, 5)
        given = {**case.settings, "data": {"train": [self.data]}}
        if case.base is not None:
            first = Workshop(case.base, _made(folder / "first"))
            for seed, name in ((1, "base"), (2, "other-base")):
                first.train(name, [f"training.seed={seed}"])
            given["base"] = str(folder / "first" / "base")
        self.given = given
        self._usual: dict[tuple[tuple[str, ...], bool], tuple[str, dict[str, object]]] = {}

    def settings(self, changes: Sequence[str]) -> RunSettings:
        """Return the settings of a run; refuses what cannot be had."""
        return resolve(self.case.task, [], self.case.model, with_overrides(self.given, changes))

    def usual(self, beside: Sequence[str], steps: bool) -> tuple[str, dict[str, object]]:
        """Return the name and the fingerprint of the run that others are compared with."""
        name = f"usual{len(self._usual)}"
        if (tuple(beside), steps) not in self._usual:
            self._usual[tuple(beside), steps] = name, self.train(name, beside, steps)
        return self._usual[tuple(beside), steps]

    def train(self, name: str, changes: Sequence[str], steps: bool = True) -> dict[str, object]:
        """Train a run and return its fingerprint; one that ends with an error is known by it."""
        path = self.folder / name
        settings = with_overrides(self.given, changes)
        with _observed() as seen:
            try:
                with new_run(self.case.task, model=self.case.model, settings=settings, out=path) as run:
                    found: dict[str, object] = {**_begun(run, self.folder, name), **seen}
                    if steps:
                        for _ in run.reports():
                            pass
                        found |= _trained(run)
            except HeedError as error:
                return {"error": str(error)}
        return found

    def predicted(self, name: str) -> str:
        """Return what a run predicts, and how it searches: after two steps of training many ways lead to one text."""
        model = api.load(self.folder / name)
        how = {key: str(value) for key, value in vars(model).items() if key in ("search", "extent")}
        match self.case.task:
            case "answer":
                return f"{how} {model.predict('which one is two ?', texts(1, 14, 20)[0])}"  # type: ignore[call-arg, union-attr, arg-type]
            case "caption":
                found = model.predict([sorted(Path(self.data).parent.rglob("*.png"))[0]])  # type: ignore[call-arg, union-attr, list-item]
                return f"{how} {found}"
            case _:
                return f"{how} {model.predict(texts(2, 5))}"  # type: ignore[call-arg, union-attr, arg-type]

    def clear(self, name: str) -> None:
        """Remove a run."""
        shutil.rmtree(self.folder / name, ignore_errors=True)


def _made(path: Path) -> Path:
    path.mkdir()
    return path


@contextmanager
def _observed() -> Iterator[dict[str, object]]:
    """Watch what leaves no trace in a run: with how many processes images are decoded."""
    seen: dict[str, object] = {}

    def build(*arguments: object) -> object:
        seen["workers"] = arguments[4]
        return kept(*arguments[:4], 0, *arguments[5:])  # type: ignore[arg-type]

    kept = pictures.build_store
    with mock.patch.object(pictures, "build_store", build):
        yield seen


def _begun(run: Run, folder: Path, name: str) -> dict[str, object]:
    notes = [note.replace(str(folder / name), "").replace(str(folder), "") for note in run.notes]
    found: dict[str, object] = {"notes": notes, "threads": torch.get_num_threads()}
    if isinstance(run, TrainerRun):
        found["objective"] = type(run.trainer.objective).__name__
        found["weights at first"] = _digest(weights_of(run.task.model))
        found["order"] = run.trainer._batches()
    return found


def _trained(run: Run) -> dict[str, object]:
    path = run.folder.path
    lines = [json.loads(line) for line in (path / "metrics.jsonl").read_text().splitlines()]
    found: dict[str, object] = {
        "metrics": [{name: value for name, value in line.items() if name != "seconds"} for line in lines],
        "best": _best(run),
        "checkpoints": sorted(each.name for each in path.glob("checkpoints/*")),
    }
    for name in ("data.json", "labels.json", "tokenizer.json", "target_tokenizer.json", "words.json"):
        found[name] = (path / name).read_bytes() if (path / name).is_file() else None
    if isinstance(run, TrainerRun):
        found["weights"] = _digest(weights_of(run.task.model))
        found["average"] = _digest(run.trainer.average.weights())
    return found


def _best(run: Run) -> object:
    """Return the weights that are kept and what is known of them, without the settings that a linear model repeats."""
    best = run.folder.read_best()
    facts = dict(best.facts)
    model = facts.pop("model", None)
    tried = model.get("candidates") if isinstance(model, dict) else None
    return facts, tried, _digest(best.tensors)


def _digest(tensors: Mapping[str, torch.Tensor]) -> dict[str, bytes]:
    return {name: each.detach().float().numpy().tobytes() for name, each in tensors.items()}


def names_of(settings: RunSettings) -> list[str]:
    """Return the names of all settings: those of every part, and of every part of a part."""

    def within(values: Mapping[str, object], above: str) -> Iterator[str]:
        for key, value in values.items():
            if isinstance(value, dict):
                yield from within(value, f"{above}{key}.")
            else:
                yield f"{above}{key}"

    return list(within(to_dict(settings), ""))


def other_value(settings: RunSettings, name: str) -> object:
    """Return another value than the one that a setting has, by its type."""
    *parts, last = name.split(".")
    holder: object = settings
    for part in parts:
        holder = getattr(holder, part)
    value, hint = getattr(holder, last), typing.get_type_hints(type(holder))[last]
    choices = [each for option in (hint, *typing.get_args(hint)) for each in _literals(option) if each != value]
    match value:
        case bool():
            return not value
        case _ if choices:
            return choices[0]
        case int():
            return value * 2 or 1
        case float():
            return value / 2 or 0.25
        case None:
            return {bool: True, int: 1, float: 0.5}[
                next(each for each in typing.get_args(hint) if each in (bool, int, float))
            ]
        case _:
            raise AssertionError(f"{name} is {value!r}: give another value of it in OTHER")


def _literals(hint: object) -> tuple[object, ...]:
    return typing.get_args(hint) if typing.get_origin(hint) is typing.Literal else ()
