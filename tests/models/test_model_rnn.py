"""The recurrent model's own settings, ties, starting weights and states; the laws and references are elsewhere."""

import re

import pytest
import torch

from heed.errors import SettingsError
from heed.models.rnn_seq2seq import PRESETS, RnnSeq2Seq, RnnSettings


@pytest.mark.parametrize(
    ("switches", "message"),
    [
        ({"width": 7, "bidirectional": True}, "model.width is 7; a bidirectional encoder needs an even width."),
        ({"width": 0}, "model.width is 0. Use 1 or more."),
        ({"layers": 0}, "model.layers is 0."),
        ({"longest": -1}, "model.longest is -1."),
        ({"dropout": 1.0}, "model.dropout is 1.0. Use a share of at least 0 and below 1."),
    ],
)
def test_settings_that_cannot_be_built_are_refused_with_their_value(switches: dict, message: str) -> None:
    with pytest.raises(SettingsError, match=re.escape(message)):
        RnnSettings(**switches)


def test_two_vocabularies_cannot_be_one_table() -> None:
    with pytest.raises(SettingsError, match="the source has 13 pieces, the target 11"):
        RnnSeq2Seq(RnnSettings(width=8, tie="all"), 13, 11)


@pytest.mark.parametrize(("tie", "tables"), [("all", 1), ("output", 2), ("none", 3)])
def test_a_tie_makes_tables_one(tie: str, tables: int) -> None:
    model = RnnSeq2Seq(RnnSettings(width=8, tie=tie), 13, 13)
    weights = (model.source_embedding.weight, model.target_embedding.weight, model.vocabulary.weight)
    assert len({id(weight) for weight in weights}) == tables
    assert (model.target_embedding.weight is model.vocabulary.weight) == (tie != "none")


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_named_after_its_cell(name: str) -> None:
    assert PRESETS[name].cell == name
    with torch.device("meta"):
        RnnSeq2Seq(PRESETS[name], 20, 20)


@pytest.mark.parametrize("cell", ["rnn", "lstm", "gru"])
def test_recurrent_weights_begin_orthogonal_gate_by_gate(cell: str) -> None:
    model = RnnSeq2Seq(RnnSettings(cell=cell, width=8, layers=2), 13, 13)
    matrices = [each for name, each in model.named_parameters() if "weight_hh" in name]
    assert len(matrices) == 2 * 2 + 2  # the encoder has two layers both ways, the decoder two
    for matrix in matrices:
        for gate_DD in matrix.split(matrix.shape[1]):
            torch.testing.assert_close(gate_DD @ gate_DD.mT, torch.eye(len(gate_DD)), atol=1e-5, rtol=0.0)


@pytest.mark.parametrize("attention", ["none", "scaled"])
@torch.no_grad()
def test_sources_may_leave_a_batch_that_has_no_padding(attention: str) -> None:
    model = RnnSeq2Seq(RnnSettings(width=8, attention=attention), 13, 13).eval()
    source_ids, keep = torch.arange(12).reshape(3, 4), torch.ones(3, 4, dtype=torch.bool)
    _, state = model.step(torch.tensor([[1], [2], [3]]), model.start(source_ids, keep))
    state = model.reorder(state, torch.tensor([0, 2]), torch.tensor([[0], [0]]))
    logits_B1V, _ = model.step(torch.tensor([[5], [6]]), state)
    expected_BTV = model(source_ids[[0, 2]], keep[[0, 2]], torch.tensor([[1, 5], [3, 6]]))
    torch.testing.assert_close(logits_B1V[:, 0], expected_BTV[:, 1], atol=1e-5, rtol=1e-5)
