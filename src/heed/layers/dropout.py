"""Dropout (Srivastava et al. 2014) that draws a byte a number: torch's own spends more time on chance than on products.

The share that is dropped is rounded to a 256th, and what is kept is scaled by exactly its inverse, so the expectation
is right. In training, masks belong to examples and not to batches (`drawing.py`). `benchmarks/dropout.py` compares
ours with torch's on a CPU.
"""

import torch
from torch import Tensor, nn

from heed.layers.drawing import random_bytes


class Dropout(nn.Module):
    """Sets each number to zero with the given share in training; does nothing in evaluation."""

    def __init__(self, share: float) -> None:
        super().__init__()
        if not 0 <= share < 1:
            raise ValueError(f"dropout is {share}; it must be from 0 to less than 1")
        self.share = share

    def forward(self, x: Tensor) -> Tensor:
        """Return the tensor with some numbers dropped and the others scaled up."""
        if not self.training or self.share == 0:
            return x
        return x * keep_or_drop(x, self.share, self)

    def extra_repr(self) -> str:
        """Return what `print(model)` shows."""
        return f"share={self.share}"


def keep_or_drop(x: Tensor, share: float, site: nn.Module) -> Tensor:
    """Return factors in the shape of `x`, (B, D) or (B, T, ...): zero where a number is dropped, the scale elsewhere.

    `site` is the part of the model that drops.
    """
    threshold = min(round(share * 256), 255)
    bytes_of_x = random_bytes(site, x.shape)
    if bytes_of_x is None:
        # Whole 64-bit words, eight decisions each. Here and not in a function: a graph must not hand such a view on.
        words = torch.empty((x.numel() + 7) // 8, dtype=torch.int64, device=x.device).random_(-(2**63), None)
        bytes_of_x = words.view(torch.uint8)[: x.numel()].view(x.shape)
    factors = torch.empty_like(x, memory_format=torch.contiguous_format)
    torch.ge(bytes_of_x, threshold, out=factors)
    return factors.mul_(256 / (256 - threshold))
