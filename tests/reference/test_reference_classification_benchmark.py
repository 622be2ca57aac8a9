"""The benchmark of classification compares equals: both sides have the same dropout, texts a step and optimizer."""

import argparse
import importlib
import importlib.util
import os
import sys
from dataclasses import asdict
from pathlib import Path
from types import ModuleType

import pytest

os.environ["HF_HUB_OFFLINE"] = "1"
pytest.importorskip("transformers")
BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    sys.path.insert(0, str(BENCHMARKS))
    try:
        module = importlib.import_module("classify")
        importlib.import_module("peer")
        importlib.import_module("marian")
        importlib.import_module("pretraining_contenders")
        return module
    finally:
        sys.path.remove(str(BENCHMARKS))


@pytest.fixture(scope="module")
def folder(benchmark: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("benchmark")
    benchmark._prepare(argparse.Namespace(data="demo:reviews", valid=[], test="demo:reviews", threads=1), folder)
    return folder


@pytest.mark.slow
def test_the_peer_drops_what_we_drop(benchmark: ModuleType, folder: Path) -> None:
    config, ours = benchmark.contenders._config(folder), sys.modules["ours"].prepared_run(folder).settings.model
    assert (config.hidden_dropout_prob, config.attention_probs_dropout_prob) == (ours.dropout, ours.attention_dropout)
    assert config.classifier_dropout is None  # then it is that of the hidden states
    assert ours.word_dropout == 0.0
    sizes = (config.hidden_size, config.num_hidden_layers, config.num_attention_heads, config.intermediate_size)
    assert sizes == (ours.width, ours.layers, ours.heads, ours.feedforward)


@pytest.mark.slow
def test_a_step_of_the_peer_reads_as_many_texts_as_one_of_ours(folder: Path) -> None:
    ours = sys.modules["ours"]
    run = ours.prepared_run(folder)
    training = run.settings.training
    batches = run.task.order(training.seed, 0, training.tokens_per_batch, training.window)
    assert ours.examples_a_step(run) == pytest.approx(len(run.task.train) / len(batches), abs=0.5)


@pytest.mark.slow
def test_a_step_of_the_peer_updates_as_one_of_ours(folder: Path) -> None:
    training = asdict(sys.modules["ours"].prepared_run(folder).settings.training)
    theirs = sys.modules["peer"].arguments_like_ours(training["label_smoothing"])
    same = {
        "learning_rate": "learning_rate",
        "weight_decay": "weight_decay",
        "max_grad_norm": "clip",
        "gradient_accumulation_steps": "accumulate",
        "label_smoothing_factor": "label_smoothing",
    }
    assert {name: theirs[name] for name in same} == {name: training[ours] for name, ours in same.items()}
    assert (training["optimizer"], training["precision"], training["average"]) == ("adamw", "float32", 0.0)
    assert (theirs["optim"], theirs["bf16"], theirs["fp16"]) == ("adamw_torch_fused", False, False)


def test_the_other_peers_drop_what_we_drop_too(benchmark: ModuleType) -> None:
    marian, pretraining = sys.modules["marian"], sys.modules["pretraining_contenders"]
    config = marian.fresh_marian(marian.LIKE_MARIAN, 20).config
    ours = marian.LIKE_MARIAN
    assert (config.dropout, config.attention_dropout) == (ours.dropout, ours.attention_dropout)
    settings = pretraining.BertSettings(width=16, heads=2, layers=1, feedforward=24, dropout=0.2)
    theirs = pretraining._config(settings, 20, settings.attention_dropout)
    assert (theirs.hidden_dropout_prob, theirs.attention_probs_dropout_prob) == (0.2, 0.0)


@pytest.mark.slow
def test_every_contender_of_classification_takes_its_steps(benchmark: ModuleType, folder: Path) -> None:
    assert sys.modules["ours"].train_ours(folder, 1)["speed"] > 0
    assert benchmark.contenders.predict_ours(folder, one_by_one=True)["speed"] > 0
    assert benchmark.contenders.predict_bert(folder, one_by_one=True)["speed"] > 0
    if importlib.util.find_spec("accelerate") is None:
        pytest.skip("the peer's trainer needs accelerate, which is part of heed[bench]")
    assert benchmark.contenders.train_bert(folder, 1, "group_by_length")["speed"] > 0
