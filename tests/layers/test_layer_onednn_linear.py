"""Products by oneDNN: values and gradients are those of torch's own, and only training on many rows takes them."""

import copy

import pytest
import torch
from torch import Tensor, nn

from heed.layers import onednn_linear
from heed.layers.onednn_linear import ENOUGH, OneDnnLinear, multiply_by_onednn, rounded_up
from heed.layers.products import has_onednn
from heed.models.weights import weights_of

pytestmark = pytest.mark.skipif(not has_onednn(), reason="this build of torch has no oneDNN")

INPUTS = 128
ROWS = ENOUGH // (INPUTS * 64)  # just enough for 64 outputs, the fewest below


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Return the shapes of the products that oneDNN was asked for."""
    shapes: list[tuple[int, int]] = []
    plainly = onednn_linear.times_transposed

    def noticed(left_NK: Tensor, right_MK: Tensor, bias_M: Tensor | None = None) -> Tensor:
        shapes.append((len(left_NK), len(right_MK)))
        return plainly(left_NK, right_MK, bias_M)

    monkeypatch.setattr(onednn_linear, "times_transposed", noticed)
    return shapes


def both(outputs: int, bias: bool = True) -> tuple[nn.Linear, OneDnnLinear]:
    torch.manual_seed(0)
    plain = nn.Linear(INPUTS, outputs, bias=bias)
    return plain, OneDnnLinear(copy.deepcopy(plain))


@pytest.mark.parametrize("outputs", [64, 128, 200])  # more inputs than outputs, as many, fewer
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("shape", [(ROWS,), (4, ROWS // 4), (2, 2, ROWS // 4)])
def test_value_and_gradients_are_those_of_torch(
    outputs: int, bias: bool, shape: tuple[int, ...], taken: list[tuple[int, int]]
) -> None:
    plain, wide = both(outputs, bias)
    x, slope = torch.randn(*shape, INPUTS), torch.randn(*shape, outputs)
    results = []
    for linear in (plain, wide):
        own = x.clone().requires_grad_()
        product = linear(own)
        product.backward(slope)
        results.append([product, own.grad, linear.weight.grad, *([linear.bias.grad] if bias else [])])
    assert len(taken) == 3
    for theirs, ours in zip(*results, strict=True):
        assert theirs is not None
        assert ours is not None
        torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-4)


def test_turned_rows_are_multiplied_too() -> None:
    plain, wide = both(64)
    x = torch.randn(INPUTS, ROWS).T
    torch.testing.assert_close(wide(x), plain(x), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("rows", [ROWS + 1, ROWS + 33, 2 * ROWS - 1])
def test_rows_that_are_added_change_nothing(rows: int) -> None:
    plain, wide = both(64)
    x = torch.randn(rows, INPUTS, requires_grad=True)
    slope = torch.randn(rows, 64)
    for ours, theirs in zip(
        torch.autograd.grad(wide(x), (x, wide.weight, wide.bias), slope),
        torch.autograd.grad(plain(x), (x, plain.weight, plain.bias), slope),
        strict=True,
    ):
        torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-3)


def test_hundreds_of_lengths_are_few_shapes_and_little_is_added(taken: list[tuple[int, int]]) -> None:
    _, wide = both(64)
    for rows in range(ROWS, 2 * ROWS, 7):
        wide(torch.ones(rows, INPUTS))
    assert len(taken) > 70
    assert len(set(taken)) <= 17
    assert [rounded_up(rows) for rows in (1, 31, 32, 33, 130, 2047, 2048, 2049)] == [
        *(1, 31, 32, 34, 136, 2048, 2048, 2112)
    ]
    assert all(rows <= rounded_up(rows) < 1.07 * rows for rows in range(1, 5000))


def test_what_is_frozen_gets_no_gradient(taken: list[tuple[int, int]]) -> None:
    _, wide = both(64)
    wide.requires_grad_(False)
    x = torch.randn(ROWS, INPUTS, requires_grad=True)
    wide(x).sum().backward()  # a slope that is one number, shown as many
    torch.testing.assert_close(x.grad, wide.weight.sum(0).expand(ROWS, INPUTS), rtol=1e-4, atol=1e-4)
    assert taken == [(ROWS, 64), (ROWS, INPUTS)]
    assert wide.weight.grad is None
    assert wide.bias.grad is None


def test_few_rows_other_numbers_and_prediction_stay_with_torch(taken: list[tuple[int, int]]) -> None:
    plain, wide = both(64)
    few, many = torch.randn(ROWS - 1, INPUTS), torch.randn(ROWS, INPUTS)
    assert torch.equal(wide(few), plain(few))
    with torch.no_grad():
        assert torch.equal(wide(many), plain(many))
    assert torch.equal(copy.deepcopy(wide).double()(many.double()), copy.deepcopy(plain).double()(many.double()))
    assert taken == []


def test_the_same_product_twice_is_the_same_to_the_last_bit() -> None:
    _, wide = both(200)
    gradients = []
    for _ in range(2):
        wide.zero_grad()
        wide(torch.ones(ROWS, INPUTS).cumsum(0).sin()).square().sum().backward()
        gradients.append(wide.weight.grad)
    assert gradients[0] is not None
    assert gradients[1] is not None
    assert torch.equal(gradients[0], gradients[1])


def test_a_model_keeps_its_weights_their_names_and_its_ties() -> None:
    plain = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Sequential(nn.Linear(8, 8)))
    plain[2][0].weight = plain[0].weight
    before = weights_of(copy.deepcopy(plain))
    wide = multiply_by_onednn(plain)
    assert [type(module).__name__ for module in wide.modules() if isinstance(module, nn.Linear)] == ["OneDnnLinear"] * 2
    assert wide[2][0].weight is wide[0].weight  # type: ignore[index]
    after = weights_of(wide)
    assert list(after) == list(before)
    assert all(torch.equal(after[name], before[name]) for name in before)


def test_a_copy_in_bfloat16_is_left_alone() -> None:
    model = multiply_by_onednn(nn.Sequential(nn.Linear(8, 8).bfloat16()))
    assert type(model[0]) is nn.Linear  # type: ignore[index]
