"""Norms: layer and rms by their formulas, batch over real tokens only, and what deck 2 holds against batch norm."""

import sys
from pathlib import Path

import pytest
import torch
from torch import nn

from heed.layers.masks import keep_from_lengths
from heed.layers.norms import BatchNorm, build_norm
from heed.layers.over_ranks import shared_batch
from heed.machine import Ranks

sys.path.insert(0, str(Path(__file__).parents[1] / "training"))
from threads_as_ranks import Threads

KEEP = keep_from_lengths(torch.tensor([4, 1, 2]), 4)


def tokens() -> torch.Tensor:
    return torch.randn(3, 4, 5, generator=torch.Generator().manual_seed(0)) * 3 + 2


def test_layer_norm_is_the_formula_of_deck_2() -> None:
    x_BTD, norm = tokens(), build_norm("layer", 5)
    mean, deviation = x_BTD.mean(dim=-1, keepdim=True), x_BTD.std(dim=-1, keepdim=True, unbiased=False)
    torch.testing.assert_close(norm(x_BTD), (x_BTD - mean) / deviation, atol=1e-4, rtol=1e-4)


def test_rms_norm_divides_by_the_root_of_the_mean_square() -> None:
    x_BTD = torch.tensor([[[3.0, 4.0, 0.0, 0.0, 0.0]]])
    torch.testing.assert_close(build_norm("rms", 5)(x_BTD), x_BTD / 5**0.5)


def test_no_norm_leaves_tokens_alone() -> None:
    assert torch.equal(build_norm("none", 5)(tokens(), KEEP), tokens())


def test_batch_norm_equals_torchs_over_the_real_tokens() -> None:
    ours, theirs, x_BTD = BatchNorm(5), nn.BatchNorm1d(5), tokens().requires_grad_()
    for norm in (ours, theirs):
        nn.init.uniform_(norm.weight, 0.5, 2.0, generator=torch.Generator().manual_seed(1))
        nn.init.normal_(norm.bias, generator=torch.Generator().manual_seed(2))
    actual_ND, expected_ND = ours(x_BTD, KEEP)[KEEP], theirs(x_BTD[KEEP])
    torch.testing.assert_close(actual_ND, expected_ND)
    torch.testing.assert_close(ours.mean, theirs.running_mean)
    ours_gradient, theirs_gradient = (
        torch.autograd.grad((each**3).sum(), x_BTD, retain_graph=True)[0] for each in (actual_ND, expected_ND)
    )
    torch.testing.assert_close(ours_gradient, theirs_gradient, atol=1e-4, rtol=1e-4)


def test_batch_norm_keeps_the_running_statistics_that_torch_keeps() -> None:
    ours, theirs = BatchNorm(5, momentum=0.25), nn.BatchNorm1d(5, momentum=0.25)
    # Eight, two and seven real tokens: the fewer there are, the more the unbiased variance differs from the other.
    for lengths in ([4, 1, 3], [1, 1, 0], [4, 1, 2]):
        keep, x_BTD = keep_from_lengths(torch.tensor(lengths), 4), tokens() * len(set(lengths))
        ours(x_BTD, keep)
        theirs(x_BTD[keep])
        torch.testing.assert_close(ours.mean, theirs.running_mean)
        torch.testing.assert_close(ours.variance, theirs.running_var)


def test_batch_norm_leaves_its_statistics_alone_when_there_is_one_token() -> None:
    norm, theirs, keep = BatchNorm(5), nn.BatchNorm1d(5), keep_from_lengths(torch.tensor([1, 0, 0]), 4)
    nn.init.normal_(norm.bias)
    assert torch.equal(norm(tokens(), keep)[keep], norm.bias[None])
    assert torch.equal(norm.mean, torch.zeros(5)) and torch.equal(norm.variance, torch.ones(5))
    with pytest.raises(ValueError, match="Expected more than 1 value per channel"):
        theirs(tokens()[keep])


def test_batch_norm_in_bfloat16_counts_in_float32() -> None:
    short, exact = BatchNorm(5), BatchNorm(5)
    x_BTD = tokens().bfloat16()
    for each in (short.weight, short.bias):
        each.data = each.data.bfloat16()
    assert short(x_BTD, KEEP).dtype == torch.bfloat16
    exact(x_BTD.float(), KEEP)
    assert torch.equal(short.mean, exact.mean) and torch.equal(short.variance, exact.variance)


def test_batch_norm_does_not_see_what_stands_in_padding() -> None:
    changed_BTD = tokens().masked_fill(~KEEP[..., None], 1e6)
    first, second = BatchNorm(5), BatchNorm(5)
    assert torch.equal(first(tokens(), KEEP)[KEEP], second(changed_BTD, KEEP)[KEEP])
    assert torch.equal(first.mean, second.mean)
    assert torch.equal(first.variance, second.variance)


def test_without_keep_every_token_is_real() -> None:
    everything = torch.ones(3, 4, dtype=torch.bool)
    torch.testing.assert_close(BatchNorm(5)(tokens()), BatchNorm(5)(tokens(), everything))


@pytest.mark.parametrize(("name", "depends"), [("batch", True), ("layer", False), ("rms", False), ("none", False)])
def test_in_training_only_batch_norm_lets_companions_change_a_token(name: str, depends: bool) -> None:
    norm, x_BTD = build_norm(name, 5).train(), tokens()
    changed_BTD = x_BTD.clone()
    changed_BTD[1:] += 1
    assert torch.equal(norm(x_BTD)[0], norm(changed_BTD)[0]) != depends


def test_in_evaluation_batch_norm_uses_and_keeps_its_running_statistics() -> None:
    norm = BatchNorm(5)
    norm(tokens())
    norm.eval()
    before = norm.mean.clone(), norm.variance.clone()
    alone_BTD = norm(tokens()[:1])
    torch.testing.assert_close(alone_BTD, norm(tokens())[:1])
    torch.testing.assert_close(alone_BTD, (tokens()[:1] - before[0]) / (before[1] + 1e-5).sqrt())
    assert torch.equal(norm.mean, before[0])
    assert torch.equal(norm.variance, before[1])


def test_batch_norm_over_ranks_is_that_of_the_whole_batch_in_value_and_gradient() -> None:
    """Two processes with unlike numbers of tokens, and one without any that keeps them company."""
    whole, x_BTD = BatchNorm(5).double(), tokens().double().requires_grad_()
    weights_BTD = torch.randn(3, 4, 5, generator=torch.Generator().manual_seed(3)).double()
    expected_BTD = whole(x_BTD, KEEP)
    (expected_slope,) = torch.autograd.grad((expected_BTD * weights_BTD)[KEEP].sum(), x_BTD)
    threads = Threads(3)

    def one(rank: Ranks) -> tuple[torch.Tensor, torch.Tensor, BatchNorm]:
        rows = [[0, 2], [1], [1]][rank.rank]
        own_BTD = tokens()[rows].double().requires_grad_()
        norm, counts = BatchNorm(5).double(), rank.rank < 2
        with shared_batch(threads.all_reduce, counts):
            result_BTD = norm(own_BTD, KEEP[rows])
        loss = (result_BTD * weights_BTD[rows])[KEEP[rows]].sum() * counts
        return result_BTD.detach(), torch.autograd.grad(loss, own_BTD)[0], norm

    (first, first_slope, norm), (second, second_slope, _), (_, idle_slope, idle) = threads.run(one)
    torch.testing.assert_close(torch.cat([first, second])[[0, 2, 1]], expected_BTD.detach())
    torch.testing.assert_close(torch.cat([first_slope, second_slope])[[0, 2, 1]], expected_slope)
    assert not idle_slope.any()
    for found in (norm, idle):
        torch.testing.assert_close(found.mean, whole.mean)
        torch.testing.assert_close(found.variance, whole.variance)
