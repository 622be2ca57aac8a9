"""Rollout: a case worked by hand, rows that sum to one, and a decoder that looks at two things."""

import pytest
import torch

from heed.inspection.explaining.rollout import layers_in, pooled_row, rolled_out, rolled_out_twice, with_itself
from heed.layers.attention import Attend
from heed.layers.pooling import AttentionPooling, FirstPooling, MaxPooling, MeanPooling
from heed.layers.scores import build_score
from heed.layers.trace import Trace


def weights(heads: int, queries: int, keys: int, seed: int) -> torch.Tensor:
    torch.manual_seed(seed)
    return torch.rand(heads, queries, keys).softmax(dim=-1)


def test_two_layers_are_multiplied_as_by_hand() -> None:
    # Two heads whose mean is [[1/2, 1/2], [0, 1]]; with itself: [[3/4, 1/4], [0, 1]].
    first_HTT = torch.tensor([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [0.0, 1.0]]])
    # One head that looks at the other position alone; with itself: all 1/2.
    second_HTT = torch.tensor([[[0.0, 1.0], [1.0, 0.0]]])
    # [[1/2, 1/2], [1/2, 1/2]] @ [[3/4, 1/4], [0, 1]]
    expected_TT = torch.tensor([[0.375, 0.625], [0.375, 0.625]])
    torch.testing.assert_close(rolled_out([first_HTT, second_HTT]), expected_TT)


def test_each_row_of_a_rollout_sums_to_one() -> None:
    rolled_TT = rolled_out([weights(3, 5, 5, seed) for seed in range(4)])
    torch.testing.assert_close(rolled_TT.sum(dim=-1), torch.ones(5))


def test_what_looks_back_alone_holds_nothing_of_what_comes_later() -> None:
    causal = [layer.tril() / layer.tril().sum(dim=-1, keepdim=True) for layer in (weights(2, 4, 4, s) for s in (1, 2))]
    assert (rolled_out(causal).triu(diagonal=1) == 0).all()


def test_a_position_that_looks_at_nothing_is_itself() -> None:
    nothing_HTT = torch.zeros(2, 3, 3)
    torch.testing.assert_close(with_itself(nothing_HTT), torch.eye(3))


def test_a_decoder_holds_source_and_target_and_both_together_are_one() -> None:
    source_SS = rolled_out([weights(2, 5, 5, 1)])
    rolled = rolled_out_twice(source_SS, [weights(3, 4, 4, s) for s in (2, 3)], [weights(3, 4, 5, s) for s in (4, 5)])
    assert (rolled.source_TS.shape, rolled.target_TT.shape) == ((4, 5), (4, 4))
    torch.testing.assert_close(rolled.source_TS.sum(dim=1) + rolled.target_TT.sum(dim=1), torch.ones(4))


def test_one_decoder_layer_is_as_by_hand() -> None:
    self_HTT = torch.tensor([[[1.0, 0.0], [1.0, 0.0]]])  # with itself: [[1, 0], [1/2, 1/2]]
    cross_HTS = torch.tensor([[[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]])
    source_SS = torch.tensor([[0.5, 0.5, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    rolled = rolled_out_twice(source_SS, [self_HTT], [cross_HTS])
    torch.testing.assert_close(rolled.source_TS, torch.tensor([[0.0, 0.5, 0.0], [0.25, 0.25, 0.0]]))
    torch.testing.assert_close(rolled.target_TT, torch.tensor([[0.5, 0.0], [0.25, 0.25]]))


def test_the_row_of_a_whole_text_is_that_of_its_pooling() -> None:
    rolled_TT, pool_1T = rolled_out([weights(2, 3, 3, 6)]), torch.tensor([[0.2, 0.3, 0.5]])
    attention = AttentionPooling(4, Attend(build_score("dot", 1, 4, 3), "pool"))
    torch.testing.assert_close(pooled_row(rolled_TT, FirstPooling(), None), rolled_TT[0])
    torch.testing.assert_close(pooled_row(rolled_TT, MeanPooling(), None), rolled_TT.mean(dim=0))
    torch.testing.assert_close(pooled_row(rolled_TT, MaxPooling(), None), rolled_TT.mean(dim=0))
    expected_T = 0.2 * rolled_TT[0] + 0.3 * rolled_TT[1] + 0.5 * rolled_TT[2]
    torch.testing.assert_close(pooled_row(rolled_TT, attention, pool_1T), expected_T)


@pytest.mark.parametrize(
    ("sites", "ending", "there"),
    [(["a.self", "b.self"], ".self", 2), (["a.self", "c.self"], ".self", None), (["a.self"], "cross", None)],
)
def test_layers_are_there_only_if_all_of_them_were_looked_at(sites: list[str], ending: str, there: int | None) -> None:
    trace = Trace()
    for site in ("a.self", "b.self"):
        trace.record(site, torch.zeros(1, 2, 3, 3))
    layers = layers_in(trace, sites, ending)
    assert (None if layers is None else len(layers)) == there
