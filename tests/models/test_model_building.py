"""Models by name and by settings, and weights that fit exactly or are refused."""

import pytest
import torch

from heed.errors import RunError, UsageError
from heed.models.rnn_seq2seq import RnnSeq2Seq, RnnSettings
from heed.models.seq2seq import PRESETS, build_seq2seq, preset
from heed.models.transformer import Transformer, TransformerSettings
from heed.models.weights import load_weights, parameter_count, weights_of

TINY = TransformerSettings(width=8, heads=2, encoder_layers=1, decoder_layers=1, feedforward=12, longest=6)


def test_a_preset_is_found_by_its_name() -> None:
    assert preset("gru") == RnnSettings(cell="gru")
    assert preset("transformer") == TransformerSettings()


def test_an_unknown_preset_is_refused_with_the_choices() -> None:
    with pytest.raises(UsageError, match=r"no model 'gpt'.*transformer-base, rnn, lstm, gru"):
        preset("gpt")


def test_the_type_of_the_settings_decides_the_model() -> None:
    assert isinstance(build_seq2seq(TINY, 13, 13), Transformer)
    assert isinstance(build_seq2seq(RnnSettings(width=8), 13, 13), RnnSeq2Seq)
    assert set(PRESETS) >= {"transformer", "transformer-base", "rnn", "lstm", "gru"}


@pytest.mark.parametrize("settings", [TINY, RnnSettings(width=8)])
def test_with_two_vocabularies_only_the_output_is_tied(settings) -> None:
    model = build_seq2seq(settings, 13, 11)
    assert model.settings.tie == "output"
    assert model.vocabulary.weight is model.target_embedding.weight
    assert model.source_embedding.weight.shape == (13, 8)
    assert model.target_embedding.weight.shape == (11, 8)


def test_a_shared_table_counts_once() -> None:
    tied, untied = (build_seq2seq(RnnSettings(width=8, tie=tie), 13, 13) for tie in ("all", "none"))
    assert parameter_count(untied) - parameter_count(tied) == 2 * 13 * 8


def test_batch_statistics_are_saved_and_positions_are_not() -> None:
    model = Transformer(TransformerSettings(**{**vars(TINY), "norm": "batch"}), 13, 13)
    names = set(weights_of(model))
    assert {"encoder_norm.mean", "encoder_norm.variance"} <= names
    assert not {name for name in names if "positions" in name}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda weights: weights.pop("vocabulary.bias"), "vocabulary.bias is missing"),
        (lambda weights: weights.update(extra=torch.zeros(2)), "extra is not part of this model"),
        (
            lambda weights: weights.update({"vocabulary.bias": torch.zeros(14)}),
            r"vocabulary.bias is \(14,\), the model has \(13,\)",
        ),
    ],
)
def test_weights_that_do_not_fit_are_refused_and_nothing_is_changed(change, message: str) -> None:
    model, other = build_seq2seq(TINY, 13, 13), weights_of(build_seq2seq(TINY, 13, 13))
    before = {name: tensor.clone() for name, tensor in weights_of(model).items()}
    change(other)
    with pytest.raises(RunError, match=f"The weights of here do not fit the model: {message}"):
        load_weights(model, other, "here")
    assert all(torch.equal(tensor, before[name]) for name, tensor in weights_of(model).items())
