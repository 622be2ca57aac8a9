"""Recurrent parts: states of every cell look alike, beams choose theirs, and the plain decoder never looks back."""

import warnings

import pytest
import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from heed.layers.attention import Attend
from heed.layers.masks import keep_from_lengths
from heed.layers.recurrent import (
    CellName,
    PlainDecoder,
    RecurrentAttention,
    RecurrentEncoder,
    build_recurrence,
    reorder_state,
    run,
)
from heed.layers.scores import build_score, score_keys

CELLS = pytest.mark.parametrize(("cell", "tensors"), [("rnn", 1), ("gru", 1), ("lstm", 2)])


@CELLS
def test_a_state_is_a_tuple_whichever_the_cell(cell: str, tensors: int) -> None:
    recurrence, x_BTE = build_recurrence(cell, 3, 4, layers=2, dropout=0.0), torch.randn(2, 5, 3)
    whole_BTD, state = run(recurrence, x_BTE, None)
    assert [tuple(each.shape) for each in state] == [(2, 2, 4)] * tensors
    first_BTD, between = run(recurrence, x_BTE[:, :2], None)
    second_BTD, _ = run(recurrence, x_BTE[:, 2:], between)
    torch.testing.assert_close(torch.cat([first_BTD, second_BTD], dim=1), whole_BTD)


@pytest.mark.parametrize("layers", [1, 2])
def test_dropout_stands_between_layers_and_never_warns(layers: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert build_recurrence("gru", 3, 4, layers, dropout=0.5).dropout == (0.5 if layers == 2 else 0.0)


def test_each_beam_takes_the_state_of_the_beam_that_it_continues() -> None:
    # Two layers, three sources with two beams each; the number in a state tells layer, source and beam.
    state_LRD = torch.tensor([[100 * n + 10 * b + w for b in range(3) for w in range(2)] for n in (1, 2)])[..., None]
    (chosen_LRD,) = reorder_state((state_LRD,), torch.tensor([0, 2]), torch.tensor([[1, 1, 0], [0, 1, 0]]), width=2)
    assert chosen_LRD[..., 0].tolist() == [[101, 101, 100, 120, 121, 120], [201, 201, 200, 220, 221, 220]]


def test_the_last_state_of_a_padded_row_is_that_of_its_last_real_token() -> None:
    encoder = RecurrentEncoder("gru", 3, 4, layers=1, dropout=0.0, bidirectional=False)
    memory_BSD, (state_LBD,) = encoder(
        torch.randn(2, 5, 3), torch.tensor([[True] * 5, [True, True, False, False, False]])
    )
    torch.testing.assert_close(state_LBD[0], torch.stack([memory_BSD[0, 4], memory_BSD[1, 1]]))


@pytest.mark.parametrize("name", ["scaled", "dot", "general", "cosine", "additive", "location"])
def test_a_decoder_mixes_the_memory_itself_by_the_scores_of_its_prepared_keys(name: str) -> None:
    torch.manual_seed(0)
    score = build_score(name, heads=1, head_width=4, places=6)
    attention, query_BTD, memory_BSD = (
        RecurrentAttention(Attend(score, "here")),
        torch.randn(2, 3, 4),
        torch.randn(2, 5, 4),
    )
    scores_B1TS = score_keys(score, query_BTD[:, None], score.prepare(memory_BSD[:, None]))
    expected_BTD = (scores_B1TS.softmax(dim=-1) @ memory_BSD[:, None])[:, 0]
    torch.testing.assert_close(attention(query_BTD, attention.prepare(memory_BSD), None), expected_BTD)


def test_the_plain_decoder_keeps_nothing_of_the_memory_but_the_number_of_sources() -> None:
    decoder = PlainDecoder(build_recurrence("gru", 3, 4, layers=1, dropout=0.0), dropout=0.0)
    keys, values = decoder.prepare(torch.randn(2, 5, 4))
    assert keys.shape == values.shape == (2, 0, 4)


@pytest.mark.parametrize("cell", ["rnn", "gru", "lstm"])
@pytest.mark.parametrize("bidirectional", [True, False])
def test_the_memory_alone_is_that_of_torch_on_packed_texts(cell: CellName, bidirectional: bool) -> None:
    torch.manual_seed(4)
    encoder = RecurrentEncoder(cell, 5, 8, layers=2, dropout=0.0, bidirectional=bidirectional).double()
    lengths_B = torch.tensor([6, 1, 4])
    x_BSE, keep = torch.randn(3, 6, 5, dtype=torch.float64), keep_from_lengths(lengths_B, 6)
    packed = pack_padded_sequence(x_BSE, lengths_B, batch_first=True, enforce_sorted=False)
    expected_BSD, _ = pad_packed_sequence(encoder.recurrence(packed)[0], batch_first=True)
    torch.testing.assert_close(encoder.memory(x_BSE, keep), expected_BSD)
    torch.testing.assert_close(encoder(x_BSE, keep)[0], expected_BSD)


@pytest.mark.parametrize("cell", ["rnn", "gru", "lstm"])
@pytest.mark.parametrize("bidirectional", [False, True])
def test_dropout_between_layers_leaves_everything_else_as_torch_has_it(
    cell: str, bidirectional: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Layers are read one by one when something is dropped between them; with nothing dropped that is torch's own."""
    torch.manual_seed(4)
    x_BSE, keep = torch.randn(3, 5, 4), keep_from_lengths(torch.tensor([5, 2, 4]), 5)
    encoder = RecurrentEncoder(cell, 4, 6, layers=3, dropout=0.5, bidirectional=bidirectional)
    memory, state = encoder.eval()(x_BSE, keep)
    monkeypatch.setattr("heed.layers.recurrent.keep_or_drop", lambda x, share, site: torch.ones_like(x))
    read_memory, read_state = encoder.train()(x_BSE, keep)
    torch.testing.assert_close(read_memory, memory)
    for read, expected in zip(read_state, state, strict=True):
        torch.testing.assert_close(read, expected)


@pytest.mark.parametrize("cell", ["rnn", "gru", "lstm"])
def test_a_state_goes_through_layers_with_dropout_between_them(cell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    torch.manual_seed(5)
    recurrence = build_recurrence(cell, 4, 6, layers=2, dropout=0.5)
    x_BTE = torch.randn(3, 5, 4)
    before = tuple(torch.randn(2, 3, 6) for _ in range(2 if cell == "lstm" else 1))
    outputs, state = run(recurrence.eval(), x_BTE, before)
    monkeypatch.setattr("heed.layers.recurrent.keep_or_drop", lambda x, share, site: torch.ones_like(x))
    read_outputs, read_state = run(recurrence.train(), x_BTE, before)
    torch.testing.assert_close(read_outputs, outputs)
    for read, expected in zip(read_state, state, strict=True):
        torch.testing.assert_close(read, expected)


def test_numbers_between_layers_are_dropped_in_training_alone() -> None:
    torch.manual_seed(6)
    recurrence, x_BTE = build_recurrence("lstm", 4, 6, layers=2, dropout=0.5), torch.randn(3, 5, 4)
    evaluated = [run(recurrence.eval(), x_BTE, None)[0] for _ in range(2)]
    learnt = [run(recurrence.train(), x_BTE, None)[0] for _ in range(2)]
    assert torch.equal(*evaluated)
    assert not torch.equal(*learnt)
