"""The recurrent text model's own settings and starting weights; the laws and references are elsewhere."""

import re

import pytest
import torch

from heed.errors import DataError, SettingsError
from heed.layers.masks import keep_from_lengths
from heed.models.text_input import TextInput
from heed.models.text_rnn import TextRnn, TextRnnSettings

TINY = {"embedding": 5, "width": 8, "longest": 6}


@pytest.mark.parametrize(
    ("switches", "message"),
    [
        ({"width": 7}, "model.width is 7; two directions need an even one. Use 8, or model.bidirectional=false."),
        ({"width": 0}, "model.width is 0. Use 1 or more."),
        ({"embedding": 0}, "model.embedding is 0."),
        ({"layers": 0}, "model.layers is 0."),
        ({"longest": 0}, "model.longest is 0."),
        ({"dropout": 1.0}, "model.dropout is 1.0. Use a share of at least 0 and below 1."),
        ({"word_dropout": -0.1}, "model.word_dropout is -0.1."),
    ],
)
def test_settings_that_cannot_be_built_are_refused_with_their_value(switches: dict, message: str) -> None:
    with pytest.raises(SettingsError, match=re.escape(message)):
        TextRnnSettings(**switches)


def test_an_odd_width_may_be_read_one_way() -> None:
    assert TextRnn(TextRnnSettings(**TINY | {"width": 7, "bidirectional": False}), 13).pooled_width == 7


@pytest.mark.parametrize("cell", ["rnn", "lstm", "gru"])
def test_recurrent_weights_begin_orthogonal_gate_by_gate_and_biases_at_zero(cell: str) -> None:
    model = TextRnn(TextRnnSettings(cell=cell, layers=2, **TINY), 13)
    matrices = [each for name, each in model.named_parameters() if "weight_hh" in name]
    assert len(matrices) == 2 * 2
    for matrix in matrices:
        for gate_DD in matrix.split(matrix.shape[1]):
            torch.testing.assert_close(gate_DD @ gate_DD.mT, torch.eye(len(gate_DD)), atol=1e-5, rtol=0.0)
    assert all((each == 0).all() for name, each in model.named_parameters() if "bias" in name)


def test_words_begin_as_long_as_one() -> None:
    torch.manual_seed(0)
    model = TextRnn(TextRnnSettings(embedding=64), 500)
    assert model.embedding.weight.norm(dim=1).mean().item() == pytest.approx(1.0, rel=0.05)


def test_longer_texts_and_segments_are_refused() -> None:
    model, ids = TextRnn(TextRnnSettings(**TINY), 13), torch.zeros(1, 7, dtype=torch.long)
    with pytest.raises(DataError, match="7 tokens came to a model that reads 6"):
        model(TextInput(ids, keep_from_lengths(torch.tensor([7]), 7)))
    with pytest.raises(SettingsError, match="this rnn model has no segments"):
        model(TextInput(ids[:, :6], keep_from_lengths(torch.tensor([6]), 6), ids[:, :6]))


def test_dropout_falls_between_layers() -> None:
    assert TextRnn(TextRnnSettings(layers=2, dropout=0.25, **TINY), 13).encoder.recurrence.dropout == 0.25


def test_dropout_falls_on_words() -> None:
    model, seen = TextRnn(TextRnnSettings(dropout=0.5, embedding=1000, width=2), 13).train(), []
    model.dropout.register_forward_hook(lambda module, inputs, output: seen.append(output))
    model(TextInput(torch.tensor([[1, 2, 3]]), torch.ones(1, 3, dtype=torch.bool)))
    assert (seen[0] == 0).float().mean().item() == pytest.approx(0.5, abs=0.05)
