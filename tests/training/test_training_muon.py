"""Muon: equal to what a singular value decomposition gives, and to AdamW in the size of its steps."""

import math

import pytest
import torch
from torch import Tensor, nn

from heed.layers.attention import Attend, CrossAttention, SelfAttention
from heed.layers.feedforward import GatedFeedForward
from heed.layers.patches import ConvolutionalStem, ResidualStem
from heed.layers.products import has_onednn
from heed.layers.scores import build_score
from heed.training import muon as muon_module
from heed.training.muon import Muon, by_onednn, by_torch, lying, matrices_in, orthogonal

# Written out and not imported: a test that takes over the numbers it checks agrees with any.
MOMENTUM = 0.95  # Jordan 2024
LIKE_ADAM = 0.2  # Liu et al. 2025
WIDTH = 6


def random(*shape: int, seed: int = 1) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def by_decomposition(matrix: Tensor) -> Tensor:
    """Return what the polynomial should give: the same directions, its values at each singular value."""
    left, values, right = torch.linalg.svd(matrix / matrix.norm(), full_matrices=False)
    for _ in range(5):
        values = 3.4445 * values - 4.7750 * values**3 + 2.0315 * values**5
    return left * values @ right


def moved(
    weight: Tensor,
    gradients: list[Tensor],
    matrices: int = 1,
    rate: float = 0.5,
    decay: float = 0.0,
    dtype: torch.dtype = torch.float64,
) -> Tensor:
    """Return a weight after a step of Muon along each gradient."""
    parameter = nn.Parameter(weight.clone())
    muon = Muon([{"params": [parameter], "weight_decay": decay, "share": 1.0, "matrices": matrices}], dtype, by_torch)
    muon.param_groups[0]["lr"] = rate
    for gradient in gradients:
        parameter.grad = gradient.clone()
        muon.step()
    return parameter.detach()


def test_the_polynomial_keeps_directions_and_evens_out_singular_values() -> None:
    matrices = random(3, 4, 7)
    found = orthogonal(matrices, by_torch)
    for one, expected in zip(found, map(by_decomposition, matrices), strict=True):
        torch.testing.assert_close(one, expected)
    values = torch.linalg.svdvals(found)
    assert values.min() > 0.6 and values.max() < 1.2
    assert torch.linalg.svdvals(matrices).min() < 1.2  # they were further apart: up to 4
    assert torch.linalg.svdvals(matrices).max() > 3


def test_matrices_that_go_through_it_together_do_not_change_each_other() -> None:
    matrices = random(2, 4, 7)
    torch.testing.assert_close(orthogonal(matrices, by_torch)[:1], orthogonal(matrices[:1], by_torch))


@pytest.mark.skipif(not has_onednn(), reason="this build of torch has no oneDNN")
def test_large_products_are_onednns_and_all_are_those_of_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[tuple[int, int]] = []
    plainly = muon_module.times_transposed

    def noticed(left_RK: Tensor, right_CK: Tensor) -> Tensor:
        taken.append((len(left_RK), len(right_CK)))
        return plainly(left_RK, right_CK)

    monkeypatch.setattr(muon_module, "times_transposed", noticed)
    left, right = random(3, 150, 200).float(), random(3, 160, 200, seed=2).float()
    torch.testing.assert_close(by_onednn(left, right), by_torch(left, right), rtol=1e-4, atol=1e-4)
    assert taken == [(150, 160)] * 3
    for some, others in ((left, left[:, :9]), (left.double(), right.double())):
        assert torch.equal(by_onednn(some, others), by_torch(some, others))
    assert len(taken) == 3


def test_a_gradient_of_nothing_moves_nothing() -> None:
    weight = random(3, 5)
    assert torch.equal(moved(weight, [torch.zeros(3, 5, dtype=torch.float64)]), weight)


@pytest.mark.parametrize("shape", [(3, 5), (5, 3)])
def test_a_step_is_as_large_as_one_of_adamw_whatever_the_gradient(shape: tuple[int, int]) -> None:
    for scale in (1e-3, 1e3):
        weight = random(*shape)
        change = moved(weight, [scale * random(*shape, seed=2)]) - weight
        # With all singular values 1 its mean square is (number of them) / (number of numbers) = 1 / longer side.
        size = change.square().mean().sqrt().item()
        assert size == pytest.approx(0.5 * LIKE_ADAM, rel=0.3)


def test_the_momentum_looks_ahead() -> None:
    weight, first, second = random(3, 5), random(3, 5, seed=2), random(3, 5, seed=3)
    momentum = (1 - MOMENTUM) * first
    expected = weight - 0.5 * LIKE_ADAM * math.sqrt(5) * by_decomposition((1 - MOMENTUM) * first + MOMENTUM * momentum)
    torch.testing.assert_close(moved(weight, [first]), expected)
    momentum = MOMENTUM * momentum + (1 - MOMENTUM) * second
    ahead = (1 - MOMENTUM) * second + MOMENTUM * momentum
    torch.testing.assert_close(
        moved(weight, [first, second]), expected - 0.5 * LIKE_ADAM * math.sqrt(5) * by_decomposition(ahead)
    )


def test_matrices_that_stand_in_one_weight_are_moved_as_if_each_were_alone() -> None:
    weight, gradient = random(9, 5), random(9, 5, seed=2)
    parts = [moved(one, [its]) for one, its in zip(weight.chunk(3), gradient.chunk(3), strict=True)]
    torch.testing.assert_close(moved(weight, [gradient], matrices=3), torch.cat(parts))
    assert not torch.allclose(moved(weight, [gradient]), torch.cat(parts))


def test_a_filter_is_moved_as_a_matrix_with_a_row_for_each_channel() -> None:
    weight, gradient = random(4, 2, 3, 3), random(4, 2, 3, 3, seed=2)
    flat = moved(weight.flatten(1), [gradient.flatten(1)])
    torch.testing.assert_close(moved(weight, [gradient]).flatten(1), flat)


def test_decay_shrinks_a_matrix_by_the_rate_and_the_share() -> None:
    weight, gradient = random(3, 5), random(3, 5, seed=2)
    change = moved(weight, [gradient]) - weight
    torch.testing.assert_close(moved(weight, [gradient], decay=0.1), (1 - 0.5 * 0.1) * weight + change)


def test_few_digits_change_a_step_little() -> None:
    weight, gradient = random(3, 5), random(3, 5, seed=2)
    exact, rough = (moved(weight, [gradient], dtype=dtype) for dtype in (torch.float64, torch.float16))
    assert 0 < (exact - rough).abs().max() < 0.01 * (exact - weight).abs().max()


def test_matrices_lie_on_their_longer_side() -> None:
    assert [tuple(each.shape) for each in lying(torch.zeros(6, 2), 1)] == [(2, 6)]
    assert [tuple(each.shape) for each in lying(torch.zeros(6, 2), 3)] == [(2, 2)] * 3
    assert [tuple(each.shape) for each in lying(torch.zeros(4, 2, 3, 3), 1)] == [(4, 18)]


def test_what_a_matrix_is_is_known_of_every_layer() -> None:
    attend = Attend(build_score("scaled", WIDTH, 2, 9), "site")
    layers = {
        SelfAttention(WIDTH, 2, attend): {"project": 3, "output": 1},
        CrossAttention(WIDTH, 2, attend): {"query": 1, "key_value": 2, "output": 1},
        GatedFeedForward(WIDTH, 7, dropout=0.0): {"widen": 2, "narrow": 1},
    }
    for layer, expected in layers.items():
        found = matrices_in(layer)
        names = {name: found[each] for name, each in layer.named_parameters() if each in found}
        assert names == {f"{name}.weight": count for name, count in expected.items()}


@pytest.mark.parametrize("stem", [ConvolutionalStem(4, WIDTH), ResidualStem(4, WIDTH)])
def test_every_filter_but_the_one_that_reads_pixels_is_a_matrix(stem: nn.Module) -> None:
    filters = [part.weight for part in stem.modules() if isinstance(part, nn.Conv2d)]
    assert filters[0].shape[1] == 3
    assert set(matrices_in(stem)) == set(filters[1:]) and len(filters) > 2


def test_what_is_frozen_is_left_alone() -> None:
    assert not matrices_in(GatedFeedForward(WIDTH, 7, dropout=0.0).requires_grad_(False))
