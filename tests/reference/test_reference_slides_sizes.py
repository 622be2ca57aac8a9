"""Sizes that the decks state, and parameter counts worked by hand."""

import pytest
import torch

from heed.models.rnn_seq2seq import RnnSeq2Seq, RnnSettings
from heed.models.transformer import PRESETS, Transformer, TransformerSettings
from heed.models.weights import parameter_count


def test_the_base_preset_is_the_papers() -> None:
    base = PRESETS["transformer-base"]
    assert (base.width, base.heads, base.width // base.heads) == (512, 8, 64)
    assert (base.encoder_layers, base.decoder_layers, base.feedforward) == (6, 6, 2048)
    assert (base.positions, base.score, base.norm, base.norm_place) == ("sinusoid", "scaled", "layer", "after")
    assert (base.activation, base.residual, base.dropout, base.tie) == ("relu", True, 0.1, "all")


def test_the_base_preset_has_the_papers_number_of_parameters() -> None:
    attention = 4 * (512 * 512 + 512)  # query, key, value, output; 8 heads of 64 cost what one of 512 would
    feedforward = (512 * 2048 + 2048) + (2048 * 512 + 512)
    norm = 2 * 512
    encoder_block = attention + feedforward + 2 * norm
    decoder_block = 2 * attention + feedforward + 3 * norm
    pieces = 37_000  # the paper's shared vocabulary
    expected = 6 * encoder_block + 6 * decoder_block + pieces * 512 + pieces
    with torch.device("meta"):  # counts need no memory
        model = Transformer(PRESETS["transformer-base"], pieces, pieces)
    assert parameter_count(model) == expected == 63_119_496
    assert expected == pytest.approx(65e6, rel=0.03)  # table 3 of the paper rounds to 65 million


def test_each_switch_adds_its_own_parameters() -> None:
    def count(**switches: object) -> int:
        sizes = {"width": 8, "heads": 2, "encoder_layers": 1, "decoder_layers": 1, "feedforward": 12, "longest": 20}
        return parameter_count(Transformer(TransformerSettings(**sizes, **switches), 13, 13))

    plain, attentions = count(), 3
    assert count(score="dot") - plain == 0
    assert count(score="general") - plain == attentions * 2 * 4 * 4  # a 4 x 4 matrix in each of 2 heads
    assert count(score="cosine") - plain == attentions * 2  # a strength for each head
    assert count(score="additive") - plain == attentions * 2 * (4 * 4 + 4 * 4 + 4)
    assert count(score="location") - plain == attentions * 2 * 4 * 20
    assert count(positions="learned") - plain == 2 * 20 * 8
    assert count(positions="rotary") - plain == 0
    assert plain - count(norm="none") == (2 + 3 + 2) * 2 * 8  # encoder block, decoder block, one after each stack
    assert plain - count(norm="rms") == (2 + 3 + 2) * 8  # no bias
    assert plain - count(norm_place="after") == 2 * 2 * 8
    assert count(activation="swiglu") - plain == 2 * (8 * 12 + 12)  # a gate beside each inner layer
    assert count(tie="output") - plain == 13 * 8
    assert count(tie="none") - plain == 2 * 13 * 8


@pytest.mark.parametrize(("cell", "gates"), [("rnn", 1), ("gru", 3), ("lstm", 4)])
def test_a_recurrent_model_has_a_matrix_pair_for_each_gate(cell: str, gates: int) -> None:
    settings = RnnSettings(cell=cell, width=8, attention="dot", tie="none", bidirectional=True)
    half = gates * (8 * 4 + 4 * 4 + 4 + 4)  # each direction of the encoder: 8 wide in, 4 wide inside, two biases
    decoder = gates * (8 * 8 + 8 * 8 + 8 + 8)
    readout = 16 * 8 + 8
    tables = 13 * 8 + 11 * 8 + (11 * 8 + 11)
    assert parameter_count(RnnSeq2Seq(settings, 13, 11)) == 2 * half + decoder + readout + tables
