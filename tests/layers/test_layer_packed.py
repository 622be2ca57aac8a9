"""Packed products give what plain ones give, and leave training and saving alone."""

import copy

import pytest
import torch
from torch import nn

from heed.layers.half import rounded_to_half
from heed.layers.onednn_linear import ENOUGH
from heed.layers.packed import FEW, NarrowProduct, PackedLinear, WideProduct, can_narrow, pack_products
from heed.layers.products import has_onednn
from heed.models.transformer import Transformer, TransformerSettings
from heed.models.weights import weights_of

pytestmark = pytest.mark.skipif(not (has_onednn() and can_narrow()), reason="this build of torch cannot pack weights")


@pytest.fixture
def plain() -> nn.Linear:
    torch.manual_seed(0)
    linear = nn.Linear(24, 37)
    linear.weight.data = rounded_to_half(linear.weight.data)
    return linear


@pytest.mark.parametrize("kind", [NarrowProduct, WideProduct])
@pytest.mark.parametrize("shape", [(1,), (4,), (9,), (300,), (2, 4), (1, 1, 3)])
def test_any_number_of_rows_gives_what_the_plain_product_gives(
    plain: nn.Linear, kind: type[NarrowProduct] | type[WideProduct], shape: tuple[int, ...]
) -> None:
    product = kind(plain)
    x = torch.randn(*shape, 24)
    with torch.inference_mode():
        torch.testing.assert_close(product(x), plain(x))
        turned = torch.randn(24, 5).T
        torch.testing.assert_close(product(turned), plain(turned))


@pytest.mark.parametrize("kind", [NarrowProduct, WideProduct])
def test_a_product_without_bias_is_one_too(kind: type[NarrowProduct] | type[WideProduct]) -> None:
    plain = nn.Linear(8, 5, bias=False)
    plain.weight.data = rounded_to_half(plain.weight.data)
    x = torch.randn(3, 8)
    with torch.inference_mode():
        torch.testing.assert_close(kind(plain)(x), plain(x))


def test_few_rows_are_read_narrow_and_many_wide(plain: nn.Linear) -> None:
    def few(x: torch.Tensor) -> str:
        return "few"

    def many(x: torch.Tensor) -> str:
        return "many"

    packed = PackedLinear(plain, few, many)  # type: ignore[arg-type]
    with torch.inference_mode():
        assert [packed(torch.zeros(rows, 24)) for rows in (1, FEW, FEW + 1)] == ["few", "few", "many"]
        assert packed(torch.zeros(0, 24)).shape == (0, 37)
        assert packed(torch.zeros(2, FEW, 24)) == "many"


def test_weights_that_are_no_16_bit_floats_are_never_rounded(plain: nn.Linear) -> None:
    exact = torch.nextafter(torch.tensor(1.0), torch.tensor(2.0))
    plain.weight.data.fill_(exact)
    plain.bias.data.zero_()
    model = pack_products(nn.Sequential(plain))
    x = torch.zeros(1, 24)
    x[0, 0] = 1.0
    with torch.inference_mode():
        assert (model(x) == exact).all()


@pytest.mark.parametrize("rows", [3, ENOUGH // (24 * 37) + 1])
def test_gradients_flow_as_through_the_plain_product(rows: int, plain: nn.Linear) -> None:
    packed = pack_products(nn.Sequential(copy.deepcopy(plain))).requires_grad_()
    x, slope = torch.randn(rows, 24, requires_grad=True), torch.randn(rows, 37)
    expected = torch.autograd.grad(plain(x), (x, plain.weight, plain.bias), slope)
    found = torch.autograd.grad(packed(x), (x, *packed.parameters()), slope)
    for ours, theirs in zip(found, expected, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("rounded", [True, False])
def test_a_packed_model_says_the_same_and_has_the_same_weights_under_the_same_names(rounded: bool) -> None:
    torch.manual_seed(1)
    settings = TransformerSettings(width=16, heads=2, encoder_layers=1, decoder_layers=1, feedforward=24, longest=20)
    plain = Transformer(settings, 30, 30).eval()
    if rounded:
        for parameter in plain.parameters():
            parameter.data = rounded_to_half(parameter.data)
    packed = pack_products(copy.deepcopy(plain))
    assert any(isinstance(module, PackedLinear) for module in packed.modules())
    ids, keep = torch.randint(4, 30, (2, 5)), torch.ones(2, 5, dtype=torch.bool)
    with torch.inference_mode():
        torch.testing.assert_close(packed(ids, keep, ids, keep), plain(ids, keep, ids, keep))
    mine, its = weights_of(packed), weights_of(plain)
    assert list(mine) == list(its)
    assert all(torch.equal(mine[name], its[name]) for name in mine)
