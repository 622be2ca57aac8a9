"""Dropout by bytes: the right share, the right expectation, nothing in evaluation."""

import pytest
import torch

from heed.layers.dropout import Dropout


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.9])
def test_the_share_is_dropped_and_the_mean_is_kept(share: float) -> None:
    torch.manual_seed(0)
    result = Dropout(share).train()(torch.ones(1000, 1000))
    assert (result == 0).float().mean().item() == pytest.approx(share, abs=1 / 512 + 0.002)
    assert result.mean().item() == pytest.approx(1.0, abs=0.01)
    assert len(result.unique()) == 2


def test_what_is_kept_is_scaled_by_the_inverse_of_the_rounded_share() -> None:
    kept = Dropout(0.1).train()(torch.full((1000,), 3.0)).max().item()
    assert kept == pytest.approx(3.0 * 256 / (256 - 26))  # 0.1 is 25.6 of 256


@pytest.mark.parametrize("shape", [(0,), (1,), (3, 5), (2, 4, 8)])
def test_any_shape_is_taken(shape: tuple[int, ...]) -> None:
    assert Dropout(0.5).train()(torch.ones(shape)).shape == shape


def test_a_number_is_dropped_whatever_its_neighbours() -> None:
    """Decisions share a word of randomness; they must not share their fate."""
    torch.manual_seed(1)
    kept = (Dropout(0.5).train()(torch.ones(20_000, 16)) != 0).float()
    assert torch.corrcoef(kept.mT).fill_diagonal_(0.0).abs().max() < 0.04


def test_the_gradient_falls_where_the_number_stayed() -> None:
    x = torch.ones(1000, requires_grad=True)
    result = Dropout(0.25).train()(x)
    result.sum().backward()
    assert torch.equal(x.grad, result.detach())


def test_the_seed_decides() -> None:
    draws = []
    for seed in (7, 7, 8):
        torch.manual_seed(seed)
        draws.append(Dropout(0.5).train()(torch.ones(100)))
    assert torch.equal(draws[0], draws[1])
    assert not torch.equal(draws[0], draws[2])


@pytest.mark.parametrize("part", [Dropout(0.5).eval(), Dropout(0.0).train()])
def test_nothing_is_touched_or_drawn_in_evaluation_or_with_share_zero(part: Dropout) -> None:
    x, before = torch.randn(10), torch.get_rng_state()
    assert part(x) is x
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize("share", [-0.1, 1.0, 1.5])
def test_a_share_that_is_none_is_refused_with_its_value(share: float) -> None:
    with pytest.raises(ValueError, match=str(share)):
        Dropout(share)
