"""The feed-forward part of a block: two layers with relu, elu, gelu or swish between, or the gated swiglu.

`gelu-tanh` is the approximation of gelu that GPT-2 was trained with (Hendrycks and Gimpel 2016, section 2).
"""

from typing import Literal, assert_never

from torch import Tensor, nn
from torch.nn import functional

from heed.layers.dropout import Dropout

ActivationName = Literal["relu", "elu", "gelu", "gelu-tanh", "swish", "swiglu"]


class FeedForward(nn.Module):
    """W2 activation(W1 x) (Vaswani et al. 2017, eq. 2)."""

    def __init__(self, width: int, inner: int, activation: nn.Module, dropout: float) -> None:
        super().__init__()
        self.widen = nn.Linear(width, inner)
        self.activation = activation
        self.dropout = Dropout(dropout)
        self.narrow = nn.Linear(inner, width)

    def forward(self, x_BTD: Tensor) -> Tensor:
        """Return (B, T, D)."""
        return self.narrow(self.dropout(self.activation(self.widen(x_BTD))))


class GatedFeedForward(nn.Module):
    """W2 (swish(W1 x) * (V x)) (Shazeer 2020, eq. 6)."""

    def __init__(self, width: int, inner: int, dropout: float) -> None:
        super().__init__()
        self.widen = nn.Linear(width, 2 * inner)
        self.dropout = Dropout(dropout)
        self.narrow = nn.Linear(inner, width)

    def forward(self, x_BTD: Tensor) -> Tensor:
        """Return (B, T, D)."""
        gate_BTF, value_BTF = self.widen(x_BTD).chunk(2, dim=-1)
        return self.narrow(self.dropout(functional.silu(gate_BTF) * value_BTF))


def build_feedforward(name: ActivationName, width: int, inner: int, dropout: float) -> FeedForward | GatedFeedForward:
    """Return the feed-forward part with the named activation."""
    match name:
        case "relu":
            return FeedForward(width, inner, nn.ReLU(), dropout)
        case "elu":
            return FeedForward(width, inner, nn.ELU(), dropout)
        case "gelu":
            return FeedForward(width, inner, nn.GELU(), dropout)
        case "gelu-tanh":
            return FeedForward(width, inner, nn.GELU(approximate="tanh"), dropout)
        case "swish":
            return FeedForward(width, inner, nn.SiLU(), dropout)
        case "swiglu":
            return GatedFeedForward(width, inner, dropout)
        case _:
            assert_never(name)
