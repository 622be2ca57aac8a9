"""The vectors of a picture as the blocks read them: [CLS], registers, then the patches with their positions."""

import torch
from torch import Tensor, nn

from heed.errors import DataError
from heed.layers.patches import CHANNELS, ConvolutionalStem, OverlappingPatches, PatchEmbedding, ResidualStem
from heed.layers.positions import Adder

Stem = PatchEmbedding | OverlappingPatches | ConvolutionalStem | ResidualStem
START = 0.02  # spread of the first [CLS] and registers (Dosovitskiy et al. 2021, as published with the code)


class ImageEmbedding(nn.Module):
    """Pictures of one side to vectors; positions are added to [CLS] and patches, since registers stand for no place."""

    def __init__(self, side: int, width: int, patches: Stem, positions: Adder, first: bool, registers: int) -> None:
        super().__init__()
        self.side = side
        self.patches = patches
        self.positions = positions
        self.first_D = nn.Parameter(torch.empty(width).normal_(std=START)) if first else None
        self.registers_RD = nn.Parameter(torch.empty(registers, width).normal_(std=START)) if registers else None

    def forward(self, images: Tensor) -> Tensor:
        """Return (B, T, D)."""
        if images.shape[1:] != (CHANNELS, self.side, self.side):
            raise DataError(
                f"Pictures of {tuple(images.shape[1:])} came to a model that reads {(CHANNELS, self.side, self.side)} "
                f"(channels, height, width). Bring them to its size, or train with another model.image."
            )
        x_BTD = self.patches(images)
        if self.first_D is not None:
            x_BTD = torch.cat([self.first_D.expand(len(images), 1, -1), x_BTD], dim=1)
        x_BTD = self.positions(x_BTD)
        if self.registers_RD is None:
            return x_BTD
        begin = 0 if self.first_D is None else 1
        registers_BRD = self.registers_RD.expand(len(images), -1, -1)
        return torch.cat([x_BTD[:, :begin], registers_BRD, x_BTD[:, begin:]], dim=1)
