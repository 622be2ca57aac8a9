"""Norms behind one call, `norm(x_BTD, keep)`: layer, batch (over real tokens only), rms, none."""

from typing import Literal, NamedTuple, assert_never

import torch
from torch import Tensor, nn

from heed.layers.digits import with_digits
from heed.layers.over_ranks import batch_now, sum_over_ranks

NormName = Literal["layer", "batch", "rms", "none"]


class TokenNorm(nn.Module):
    """A norm that sees one token at a time (layer or rms), so padding cannot matter."""

    def __init__(self, norm: nn.Module) -> None:
        super().__init__()
        self.norm = norm

    def forward(self, x_BTD: Tensor, keep: Tensor | None = None) -> Tensor:
        """Return the normalised tokens."""
        return self.norm(x_BTD)


class BatchNorm(nn.Module):
    """Batch norm whose mean and variance are taken over real tokens only.

    In training a token's output depends on the whole batch: that is what deck 2 holds against it. In evaluation the
    running statistics are used, and the laws (padding, causality) hold. It computes in their precision: float32, also
    where the layers around it compute in bfloat16.
    """

    mean: Tensor
    variance: Tensor

    def __init__(self, width: int, momentum: float = 0.1, epsilon: float = 1e-5) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.bias = nn.Parameter(torch.zeros(width))
        self.register_buffer("mean", torch.zeros(width))
        self.register_buffer("variance", torch.ones(width))
        self.momentum = momentum
        self.epsilon = epsilon

    def forward(self, x_BTD: Tensor, keep: Tensor | None = None) -> Tensor:
        """Return the normalised tokens."""
        exact_BTD = x_BTD.to(self.mean.dtype)
        mean, variance = self._update(exact_BTD, keep) if self.training else (self.mean, self.variance)
        normalised_BTD = (exact_BTD - mean) * torch.rsqrt(variance + self.epsilon) * self.weight + self.bias
        return normalised_BTD.to(x_BTD.dtype)

    def _update(self, x_BTD: Tensor, keep: Tensor | None) -> tuple[Tensor, Tensor]:
        real_ND = x_BTD.flatten(0, -2) if keep is None else x_BTD[keep]
        mean, variance, tokens = moments(real_ND)
        if tokens > 1:  # one token says nothing about the variance, and torch refuses such a batch
            with torch.no_grad():
                self.mean.lerp_(mean, self.momentum)
                # Unbiased, as in torch: the running variance estimates that of all data, not of this batch.
                self.variance.lerp_(variance * (tokens / (tokens - 1)), self.momentum)
        return mean, variance


class Moments(NamedTuple):
    """Of the tokens of a batch."""

    mean_D: Tensor
    variance_D: Tensor
    tokens: int


def moments(real_ND: Tensor) -> Moments:
    """Return the moments of a batch's tokens, those that other processes have of it included."""
    shared = batch_now()
    if shared is None:
        return Moments(real_ND.mean(dim=0), real_ND.var(dim=0, unbiased=False), len(real_ND))
    own_ND = with_digits(real_ND if shared.counts else real_ND[:0])
    # The count stands behind the sums: one exchange for both.
    total = sum_over_ranks(torch.cat([own_ND.sum(dim=0), own_ND.new_tensor([len(own_ND)])]), shared)
    sums_D, tokens = total[:-1], round(total[-1].item())
    mean_D = sums_D / tokens
    variance_D = sum_over_ranks((own_ND - mean_D).square().sum(dim=0), shared) / tokens
    return Moments(mean_D.to(real_ND.dtype), variance_D.to(real_ND.dtype), tokens)


class NoNorm(nn.Module):
    """Leaves the tokens as they are."""

    def forward(self, x_BTD: Tensor, keep: Tensor | None = None) -> Tensor:
        """Return the tokens as they are."""
        return x_BTD


Norm = TokenNorm | BatchNorm | NoNorm


def build_norm(name: NormName, width: int) -> Norm:
    """Return the named norm."""
    match name:
        case "layer":
            return TokenNorm(nn.LayerNorm(width))
        case "rms":
            return TokenNorm(nn.RMSNorm(width, eps=1e-6))
        case "batch":
            return BatchNorm(width)
        case "none":
            return NoNorm()
        case _:
            assert_never(name)
