"""The benchmark of pre-training: every contender runs, and the peer is given what we learn from."""

import importlib
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

import heed
from heed.models.bert_pretraining import IS_NEXT, IS_RANDOM
from heed.tasks.pretrain import batch_of

os.environ["HF_HUB_OFFLINE"] = "1"
pytest.importorskip("transformers")
BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
SETTINGS = {
    "model": {"width": 16, "heads": 2, "layers": 1, "feedforward": 24, "longest": 64},
    "length": 32,
    "training": {"steps": 1, "validations": 1, "tokens_per_batch": 400},
}


@pytest.fixture(scope="module")
def contenders() -> ModuleType:
    sys.path.insert(0, str(BENCHMARKS))
    try:
        return importlib.import_module("pretraining_contenders")
    finally:
        sys.path.remove(str(BENCHMARKS))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("benchmark")
    heed.train("pretrain", "demo:reviews", settings=SETTINGS, out=folder / "run")
    return folder


def test_the_peer_is_given_the_same_batch(contenders: ModuleType, folder: Path) -> None:
    task = sys.modules["ours"].prepared_run(folder).task
    rows = contenders._rows(task, len(task.train))
    batch = batch_of([task.train.example(number, 0) for number in range(3)], pairs=True)
    theirs = contenders._padded(rows[:3])
    assert (theirs["input_ids"] == batch.text.token_ids).all()
    assert (theirs["attention_mask"].bool() == batch.text.keep).all()
    assert (theirs["token_type_ids"] == batch.text.segments).all()
    assert theirs["labels"][batch.hidden].tolist() == batch.answers.tolist()
    assert (theirs["labels"][~batch.hidden] == contenders.IGNORED).all()
    assert theirs["next_sentence_label"].tolist() == batch.order.tolist()  # type: ignore[union-attr]
    assert {IS_NEXT, IS_RANDOM} == {0, 1}  # 0 means that the second text follows, for the peer too


@pytest.mark.slow
def test_every_contender_takes_its_steps(contenders: ModuleType, folder: Path) -> None:
    assert sys.modules["ours"].train_ours(folder, 1)["speed"] > 0
    if importlib.util.find_spec("accelerate") is None:
        pytest.skip("the peer's trainer needs accelerate, which is part of heed[bench]")
    assert contenders.train_bert(folder, 1, attention_dropout=0.0)["speed"] > 0
