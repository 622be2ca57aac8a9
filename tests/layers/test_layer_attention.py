"""Attention: heads apart and together, dropout, and queries that may look at nothing."""

import pytest
import torch
from torch import Tensor

from heed.layers.attention import Attend, CrossAttention, SelfAttention, merge_heads, split_heads
from heed.layers.cache import empty_cache
from heed.layers.masks import attend_to_past
from heed.layers.positions import Rotary
from heed.layers.scores import build_score, score_keys
from heed.layers.trace import Trace

NAMES = ["scaled", "dot", "general", "cosine", "additive", "location"]


def attend(name: str, heads: int = 2, head_width: int = 3, dropout: float = 0.0) -> Attend:
    torch.manual_seed(1)
    return Attend(build_score(name, heads, head_width, places=6), "here", dropout)


def queries_keys_values() -> tuple[Tensor, Tensor, Tensor]:
    generator = torch.Generator().manual_seed(2)
    return tuple(torch.randn(2, 2, positions, 3, generator=generator) for positions in (4, 5, 5))


def by_formula(part: SelfAttention | CrossAttention, q_BTD: Tensor, k_BSD: Tensor, v_BSD: Tensor) -> Tensor:
    """Return softmax(score(q, prepared k)) v for two heads of three, put side by side and sent through the output."""
    q_BHTK, k_BHSK, v_BHSK = (torch.stack(each.split(3, dim=-1), dim=1) for each in (q_BTD, k_BSD, v_BSD))
    score = part.attend.score
    mixed_BHTK = score_keys(score, q_BHTK, score.prepare(k_BHSK)).softmax(dim=-1) @ v_BHSK
    return part.output(torch.cat([mixed_BHTK[:, 0], mixed_BHTK[:, 1]], dim=-1))


def test_a_head_is_a_run_of_neighbouring_numbers() -> None:
    x_BTD = torch.arange(12.0).reshape(1, 2, 6)
    assert split_heads(x_BTD, heads=3).tolist() == [[[[0, 1], [6, 7]], [[2, 3], [8, 9]], [[4, 5], [10, 11]]]]


def test_merging_undoes_splitting() -> None:
    x_BTD = torch.randn(2, 3, 12)
    assert torch.equal(merge_heads(split_heads(x_BTD, heads=4)), x_BTD)


@pytest.mark.parametrize("name", NAMES)
def test_self_attention_is_its_formula_head_by_head(name: str) -> None:
    part, x_BTD = SelfAttention(6, 2, attend(name)), torch.randn(2, 4, 6)
    q_BTD, k_BTD, v_BTD = part.project(x_BTD).split(6, dim=-1)
    torch.testing.assert_close(part(x_BTD, None), by_formula(part, q_BTD, k_BTD, v_BTD))


@pytest.mark.parametrize("name", NAMES)
def test_cross_attention_is_its_formula_head_by_head(name: str) -> None:
    part, x_BTD, memory_BSD = CrossAttention(6, 2, attend(name)), torch.randn(2, 4, 6), torch.randn(2, 5, 6)
    k_BSD, v_BSD = part.key_value(memory_BSD).split(6, dim=-1)
    expected_BTD = by_formula(part, part.query(x_BTD), k_BSD, v_BSD)
    torch.testing.assert_close(part(x_BTD, part.keys_and_values(memory_BSD), None), expected_BTD)


@pytest.mark.parametrize("name", NAMES)
def test_a_query_that_may_look_at_nothing_gets_zeros_and_finite_gradients(name: str) -> None:
    part, (q_BHTK, k_BHSK, v_BHSK) = attend(name), queries_keys_values()
    may_attend = torch.tensor([True, False])[:, None, None, None].expand(2, 1, 4, 5)
    mixed_BHTK = part(q_BHTK.requires_grad_(), part.score.prepare(k_BHSK), v_BHSK, may_attend)
    assert (mixed_BHTK[1] == 0).all()
    assert (mixed_BHTK[0] != 0).all()
    mixed_BHTK.sum().backward()
    assert q_BHTK.grad.isfinite().all()


@pytest.mark.parametrize("name", NAMES)
def test_attention_dropout_is_random_in_training_and_keeps_the_mean(name: str) -> None:
    part, (q_BHTK, k_BHSK, v_BHSK) = attend(name, dropout=0.5), queries_keys_values()
    k_BHSK = part.score.prepare(k_BHSK)
    expected_BHTK = part.eval()(q_BHTK, k_BHSK, v_BHSK, None)
    part.train()
    with torch.no_grad():
        runs = torch.stack([part(q_BHTK, k_BHSK, v_BHSK, None) for _ in range(2000)])
    assert not torch.equal(runs[0], runs[1])
    torch.testing.assert_close(runs.mean(dim=0), expected_BHTK, atol=0.15, rtol=0.0)


@pytest.mark.parametrize("name", NAMES)
def test_the_trace_shows_weights_before_dropout(name: str) -> None:
    part, (q_BHTK, k_BHSK, v_BHSK) = attend(name, dropout=0.5).train(), queries_keys_values()
    trace = Trace()
    part(q_BHTK, part.score.prepare(k_BHSK), v_BHSK, None, trace)
    torch.testing.assert_close(trace.weights["here"].sum(dim=-1), torch.ones(2, 2, 4))


@torch.no_grad()
def test_with_rotation_and_one_word_everywhere_only_distance_counts() -> None:
    part, trace = SelfAttention(8, 2, attend("scaled", head_width=4), Rotary(longest=9, head_width=4)), Trace()
    part(torch.randn(1, 1, 8).expand(1, 7, 8), None, trace)
    log_weights_HTT = trace.weights["here"][0].log()
    against_self_HTT = log_weights_HTT - log_weights_HTT.diagonal(dim1=1, dim2=2)[..., None]
    for distance in range(-6, 7):
        along = against_self_HTT.diagonal(distance, dim1=1, dim2=2)
        torch.testing.assert_close(along, along[:, :1].expand_as(along), atol=1e-5, rtol=0.0)
    assert (against_self_HTT[:, 0, 1:].abs() > 1e-4).all(), "and distance does count"


def test_rotation_is_inside_self_attention_and_counts_steps() -> None:
    torch.manual_seed(3)
    part = SelfAttention(8, 2, attend("scaled", head_width=4), Rotary(longest=6, head_width=4))
    x_BTD = torch.randn(2, 5, 8)
    whole_BTD = part(x_BTD, attend_to_past(5))
    cache = empty_cache(2, x_BTD.device)
    for place in range(5):
        cache = cache.open_slots(1)
        torch.testing.assert_close(part.step(x_BTD[:, place : place + 1], cache, 0)[:, 0], whole_BTD[:, place])


def test_cross_attention_reads_its_memory_in_any_order() -> None:
    """It has no positions of its own: with the dot product, a shuffled memory gives the same mixture."""
    torch.manual_seed(4)
    part, x_BTD, memory_BSD = CrossAttention(6, 2, attend("scaled")), torch.randn(2, 4, 6), torch.randn(2, 5, 6)
    shuffled_BSD = memory_BSD[:, [3, 0, 4, 1, 2]]
    expected_BTD = part(x_BTD, part.keys_and_values(memory_BSD), None)
    torch.testing.assert_close(part(x_BTD, part.keys_and_values(shuffled_BSD), None), expected_BTD)
