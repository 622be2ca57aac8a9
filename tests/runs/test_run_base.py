"""A run that starts from a trained BERT: its weights, its vocabulary, its sizes, and nothing else."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from heed.errors import RunError, SettingsError, UsageError
from heed.models.bert import Bert, BertSettings
from heed.models.text_classifier import TextClassifier
from heed.models.weights import weights_of
from heed.reporting.following import follow
from heed.runs.base import fitted, load_base, start_from
from heed.runs.defaults import resolve
from heed.runs.session import new_run

TINY = {"kind": "bert", "width": 8, "heads": 2, "layers": 2, "feedforward": 12, "longest": 24}


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run of `classify` that trained a tiny BERT from nothing for two steps."""
    path = tmp_path_factory.mktemp("base") / "run"
    settings = {"model": TINY, "training": {"steps": 2, "tokens_per_batch": 200, "validations": 1}}
    with new_run("classify", settings=settings, out=path) as run:
        follow(run, None)
    return path


def encoder_of(run: object) -> Bert:
    model = run.task.model  # type: ignore[attr-defined]
    assert isinstance(model, TextClassifier)
    assert isinstance(model.encoder, Bert)
    return model.encoder


def test_a_new_run_takes_over_every_weight_of_the_encoder_and_the_vocabulary(trained: Path, tmp_path: Path) -> None:
    base = load_base(trained)
    with new_run("classify", settings={"base": str(trained)}, out=tmp_path / "next") as run:
        own = weights_of(encoder_of(run))
        assert own.keys() == base.weights.keys()
        assert all(torch.equal(own[name], base.weights[name]) for name in own)
        assert run.facts["vocabulary"] == base.tokenizer.fingerprint  # type: ignore[attr-defined]
        assert any("the head is new" in note for note in run.notes)
        assert run.settings.model.width == 8


def test_a_pair_can_start_from_it_and_reads_no_further_than_it_can(trained: Path, tmp_path: Path) -> None:
    with new_run("pair", settings={"base": str(trained)}, out=tmp_path / "next") as run:
        assert run.settings.model.longest == 24  # the default would be 512


def test_fewer_positions_take_the_first_rows_of_the_table(trained: Path) -> None:
    base = load_base(trained)
    settings = fitted(BertSettings(longest=10), base)
    encoder = Bert(settings, base.tokenizer.size)
    start_from(encoder, base)
    assert torch.equal(encoder.positions.table, base.weights["positions.table"][:10])


def test_a_layer_that_the_base_lacks_is_new_and_said_so(trained: Path) -> None:
    whole = load_base(trained)
    without = {name: each for name, each in whole.weights.items() if not name.startswith("pooler.")}
    base = replace(whole, weights=without)
    encoder = Bert(fitted(BertSettings(), base), base.tokenizer.size)
    before = encoder.pooler.weight.clone()  # type: ignore[union-attr]
    assert any("layer over the text's vector are new" in note for note in start_from(encoder, base))
    assert torch.equal(encoder.pooler.weight, before)  # type: ignore[union-attr]


def test_a_model_named_with_its_folder_starts_from_it(trained: Path) -> None:
    assert resolve("classify", [], f"bert:{trained}", {}) == resolve("classify", [], None, {"base": str(trained)})


def test_a_bert_without_anything_to_start_from_is_refused_with_the_sizes() -> None:
    with pytest.raises(UsageError, match=r"give --from RUN.*bert-tiny, bert-mini"):
        resolve("classify", [], "bert", {})
    assert resolve("classify", [], "bert-tiny", {}).model.width == 128


def test_only_a_bert_starts_from_another_model(trained: Path) -> None:
    with pytest.raises(SettingsError, match=r"base is x, but model.kind is rnn"):
        resolve("classify", [], "lstm", {"base": "x"})


def test_what_is_no_base_is_refused_by_name(tmp_path: Path, trained: Path) -> None:
    with pytest.raises(RunError, match=r"There is no run at .*nowhere"):
        load_base(tmp_path / "nowhere")
    with new_run("classify", model="textcnn", settings={"training": {"steps": 1}}, out=tmp_path / "cnn") as run:
        follow(run, None)
    with pytest.raises(UsageError, match="cnn holds a textcnn model; --from needs a BERT"):
        load_base(tmp_path / "cnn")
