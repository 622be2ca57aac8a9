"""The feed-forward part: deck 5's formula by hand, and each activation between the two layers."""

import math

import pytest
import torch

from heed.layers.feedforward import build_feedforward


def test_relu_by_hand() -> None:
    part = build_feedforward("relu", width=2, inner=3, dropout=0.0)
    part.widen.weight.data = torch.tensor([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    part.widen.bias.data = torch.tensor([0.0, 1.0, 0.0])
    part.narrow.weight.data = torch.tensor([[1.0, 2.0, 5.0], [0.0, 1.0, 5.0]])
    part.narrow.bias.data = torch.tensor([10.0, 20.0])
    # x = (3, -0.5): inner = max(0, (3, 0.5, -2.5)) = (3, 0.5, 0)
    assert part(torch.tensor([[[3.0, -0.5]]])).tolist() == [[[14.0, 20.5]]]


@pytest.mark.parametrize(
    ("name", "activation"),
    [
        ("relu", lambda x: max(0.0, x)),
        ("elu", lambda x: x if x > 0 else math.exp(x) - 1),
        ("gelu", lambda x: x * 0.5 * (1 + math.erf(x / math.sqrt(2)))),
        ("gelu-tanh", lambda x: x * 0.5 * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))),
        ("swish", lambda x: x / (1 + math.exp(-x))),
        ("swiglu", lambda x: x / (1 + math.exp(-x)) * 2.0),  # the gate times a value that is 2 here
    ],
)
@pytest.mark.parametrize("x", [-1.5, -0.2, 0.0, 0.7, 3.0])
def test_each_activation_is_its_formula(name: str, activation, x: float) -> None:
    part = build_feedforward(name, width=1, inner=1, dropout=0.0)
    part.widen.weight.data = torch.tensor([[1.0], [0.0]])[: len(part.widen.weight)]
    part.widen.bias.data = torch.tensor([0.0, 2.0])[: len(part.widen.bias)]
    part.narrow.weight.data, part.narrow.bias.data = torch.ones(1, 1), torch.zeros(1)
    assert part(torch.tensor([[[x]]])).item() == pytest.approx(activation(x), abs=1e-6)


@pytest.mark.parametrize("name", ["relu", "elu", "gelu", "gelu-tanh", "swish", "swiglu"])
def test_positions_do_not_mix(name: str) -> None:
    part, x_BTD = build_feedforward(name, width=4, inner=6, dropout=0.0), torch.randn(2, 3, 4)
    torch.testing.assert_close(part(x_BTD)[:, 1:2], part(x_BTD[:, 1:2]))
