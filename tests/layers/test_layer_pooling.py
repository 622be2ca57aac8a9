"""Poolings: one vector for a text, in numbers that a person can follow, and never a number from padding."""

import pytest
import torch
from torch import Tensor

from heed.layers.attention import Attend
from heed.layers.masks import keep_from_lengths
from heed.layers.pooling import AttentionPooling, FirstPooling, LastPooling, MaxPooling, MeanPooling, build_pooling
from heed.layers.recurrent import RecurrentEncoder
from heed.layers.scores import build_score, score_keys
from heed.layers.trace import Trace

KEEP = keep_from_lengths(torch.tensor([3, 1]), 3)
NOTHING = float("nan")  # stands in padding: it spoils whatever reads it
STATES = torch.tensor(
    [
        [[1.0, -2.0], [5.0, -9.0], [3.0, -4.0]],
        [[-7.0, 8.0], [NOTHING, NOTHING], [NOTHING, NOTHING]],
    ]
)
SCORES = ["scaled", "dot", "general", "cosine", "additive", "location"]


@pytest.mark.parametrize(
    ("pooling", "expected"),
    [
        (LastPooling(bidirectional=False), [[3.0, -4.0], [-7.0, 8.0]]),
        (LastPooling(bidirectional=True), [[3.0, -2.0], [-7.0, 8.0]]),
        (MeanPooling(), [[3.0, -5.0], [-7.0, 8.0]]),
        (MaxPooling(), [[5.0, -2.0], [-7.0, 8.0]]),
        (FirstPooling(), [[1.0, -2.0], [-7.0, 8.0]]),
    ],
    ids=["last", "last of both ways", "mean", "max", "first"],
)
def test_a_text_is_pooled_from_its_real_positions(pooling: torch.nn.Module, expected: list[list[float]]) -> None:
    assert pooling(STATES, KEEP).tolist() == expected


@pytest.mark.parametrize("pooling", [LastPooling(True), MeanPooling(), MaxPooling(), FirstPooling()])
def test_no_gradient_reaches_padding_and_none_is_lost(pooling: torch.nn.Module) -> None:
    states = STATES.nan_to_num(99.0).requires_grad_()
    pooling(states, KEEP).sum().backward()
    assert (states.grad[~KEEP] == 0).all()
    torch.testing.assert_close(states.grad.sum(dim=1), torch.ones(2, 2))


@pytest.mark.parametrize("both", [False, True], ids=["one way", "both ways"])
@pytest.mark.parametrize("cell", ["rnn", "lstm", "gru"])
def test_the_last_positions_are_the_states_in_which_reading_ended(cell: str, both: bool) -> None:
    torch.manual_seed(0)
    encoder = RecurrentEncoder(cell, input_width=3, width=4, layers=2, dropout=0.0, bidirectional=both)
    keep = keep_from_lengths(torch.tensor([2, 5, 1]), 5)
    states_BTD, state = encoder(torch.randn(3, 5, 3), keep)
    assert torch.equal(LastPooling(both)(states_BTD, keep), state[0][-1])


def attention(name: str, width: int = 2) -> AttentionPooling:
    torch.manual_seed(1)
    return AttentionPooling(width, Attend(build_score(name, 1, width, places=3), "pool"))


@pytest.mark.parametrize("name", SCORES)
def test_attention_is_the_formula_written_out(name: str) -> None:
    pooling, trace = attention(name), Trace()
    pooled_BD = pooling(STATES.nan_to_num(99.0), KEEP, trace)
    query_11D, score = pooling.query_D[None, None], pooling.attend.score
    for row, length in ((0, 3), (1, 1)):
        text_1TD = STATES[row : row + 1, :length]
        scores_11T = score_keys(score, query_11D[None], score.prepare(text_1TD[None]))[0]
        weights_1T = scores_11T[0].softmax(dim=-1)
        torch.testing.assert_close(pooled_BD[row], (weights_1T @ text_1TD[0])[0])
        torch.testing.assert_close(trace.weights["pool"][row, 0, :, :length], weights_1T)


def weights_of_three(pooling: AttentionPooling) -> Tensor:
    trace = Trace()
    pooling(torch.tensor([[[0.0, 1.0], [2.0, 0.0], [1.0, 0.0]]]), torch.ones(1, 3, dtype=torch.bool), trace)
    return trace.weights["pool"].flatten()


@torch.no_grad()
def test_a_query_finds_what_it_asks_for() -> None:
    pooling = attention("dot")
    pooling.query_D.copy_(torch.tensor([1.0, 0.0]))
    expected = torch.tensor([0.0, 2.0, 1.0]).softmax(dim=0)
    torch.testing.assert_close(weights_of_three(pooling), expected)


@torch.no_grad()
@pytest.mark.parametrize("name", SCORES)
def test_before_training_attention_looks_everywhere(name: str) -> None:
    weights = weights_of_three(attention(name))
    assert weights.min() > 0.001 and weights.max() < 0.99


@pytest.mark.parametrize(
    ("name", "kind"), [("mean", MeanPooling), ("max", MaxPooling), ("attention", AttentionPooling)]
)
def test_a_name_builds_its_pooling(name: str, kind: type) -> None:
    pooling = build_pooling(name, width=4, score="location", places=6)
    assert isinstance(pooling, kind)
    if isinstance(pooling, AttentionPooling):
        assert pooling.query_D.shape == (4,)
        assert pooling.attend.score.weight_HKS.shape == (1, 4, 6)
        assert pooling.attend.site == "pool"
