"""What may stand between a sublayer and the sum that it is added to: layer scale, and stochastic depth."""

import torch
from torch import Tensor, nn

from heed.layers.drawing import happens


class LayerScale(nn.Module):
    """Multiplies each number of a vector by a learned factor that starts small (Touvron et al. 2021, eq. 8)."""

    def __init__(self, width: int, start: float) -> None:
        super().__init__()
        self.scale_D = nn.Parameter(torch.full((width,), start))

    def forward(self, change_BTD: Tensor) -> Tensor:
        """Return (B, T, D)."""
        return change_BTD * self.scale_D


class DropPath(nn.Module):
    """Leaves out the whole sublayer for a share of the examples in training (Huang et al. 2016)."""

    def __init__(self, share: float) -> None:
        super().__init__()
        if not 0 <= share < 1:
            raise ValueError(f"drop path is {share}; it must be from 0 to less than 1")
        self.share = share

    def forward(self, change_BTD: Tensor) -> Tensor:
        """Return the change, of some examples zero and of the others scaled up, so that the expectation is right."""
        if not self.training or self.share == 0:
            return change_BTD
        dropped_B1 = happens(self, self.share, (len(change_BTD), 1), change_BTD.device)
        factors_B1 = (~dropped_B1).to(change_BTD.dtype) / (1 - self.share)
        return change_BTD * factors_B1[..., None]

    def extra_repr(self) -> str:
        """Return what `print(model)` shows."""
        return f"share={self.share}"
