"""Packed products give what plain ones give, and leave training and saving alone."""

import copy

import pytest
import torch

from heed.layers.linear import Linear
from heed.layers.packed import PackedLinear, can_pack, pack_products
from heed.models.transformer import Transformer, TransformerSettings
from heed.models.weights import weights_of

pytestmark = pytest.mark.skipif(not can_pack(), reason="this build of torch cannot pack weights")


@pytest.mark.parametrize("shape", [(1,), (4,), (9,), (300,), (2, 4), (1, 1, 3), (0,)])
def test_any_number_of_rows_gives_what_the_plain_product_gives(shape: tuple[int, ...]) -> None:
    torch.manual_seed(0)
    plain = Linear(24, 37)
    packed = PackedLinear(plain)
    x = torch.randn(*shape, 24)
    with torch.inference_mode():
        torch.testing.assert_close(packed(x), torch.nn.functional.linear(x, plain.weight, plain.bias))
        turned = torch.randn(24, 5).T
        torch.testing.assert_close(packed(turned), torch.nn.functional.linear(turned, plain.weight, plain.bias))


def test_gradients_flow_as_through_the_plain_product() -> None:
    plain = Linear(6, 5)
    PackedLinear(plain)(torch.randn(3, 6)).sum().backward()
    assert plain.weight.grad is not None


def test_a_packed_model_says_the_same_and_has_the_same_weights_under_the_same_names() -> None:
    torch.manual_seed(1)
    settings = TransformerSettings(width=16, heads=2, encoder_layers=1, decoder_layers=1, feedforward=24, longest=20)
    plain = Transformer(settings, 30, 30).eval()
    packed = pack_products(copy.deepcopy(plain))
    assert any(isinstance(module, PackedLinear) for module in packed.modules())
    ids, keep = torch.randint(4, 30, (2, 5)), torch.ones(2, 5, dtype=torch.bool)
    with torch.inference_mode():
        torch.testing.assert_close(packed(ids, keep, ids, keep), plain(ids, keep, ids, keep))
    mine, its = weights_of(packed), weights_of(plain)
    assert list(mine) == list(its)
    assert all(torch.equal(mine[name], its[name]) for name in mine)
