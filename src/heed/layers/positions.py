"""How a model knows the order of words: sinusoids in both layouts of the decks, learned, rotary, or not at all."""

import math
from typing import Literal, assert_never

import torch
from torch import Tensor, nn

from heed.errors import DataError

PositionsName = Literal["sinusoid", "sinusoid-concat", "learned", "rotary", "none"]


def sinusoid(positions: int, width: int) -> Tensor:
    """Return the table (positions, width), sine and cosine interleaved (Vaswani et al. 2017, section 3.5)."""
    angles = _angles(positions, width)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :width]


def sinusoid_concat(positions: int, width: int) -> Tensor:
    """Return the table (positions, width), all sines first, then all cosines (deck 4, with d_m half the width)."""
    angles = _angles(positions, width)
    return torch.cat([angles.sin(), angles.cos()], dim=-1)[:, :width]


def _angles(positions: int, width: int) -> Tensor:
    """Return position / 10000^(2i / width) for i = 0 ... width/2; both layouts share it."""
    index = torch.arange(0, width, 2, dtype=torch.float64)
    rate = torch.exp(-math.log(10000.0) * index / width)
    return torch.arange(positions, dtype=torch.float64)[:, None] * rate


class AddTable(nn.Module):
    """Adds a fixed table of positions to the embedding."""

    table: Tensor

    def __init__(self, table: Tensor) -> None:
        super().__init__()
        # Recomputed, never saved: a checkpoint should not carry what a formula gives.
        self.register_buffer("table", table.float(), persistent=False)

    def forward(self, x_BTD: Tensor, first: int = 0) -> Tensor:
        """Return the embedding with positions first, first + 1, ... added."""
        return x_BTD + _rows(self.table, first, x_BTD.shape[1])


class AddLearned(nn.Module):
    """Adds a learned vector for each position."""

    def __init__(self, longest: int, width: int) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.empty(longest, width).normal_(std=width**-0.5))

    def forward(self, x_BTD: Tensor, first: int = 0) -> Tensor:
        """Return the embedding with positions first, first + 1, ... added."""
        return x_BTD + _rows(self.table, first, x_BTD.shape[1])


class AddNothing(nn.Module):
    """Leaves the embedding alone: order is then unknown, or told by rotation inside the attention."""

    def forward(self, x_BTD: Tensor, first: int = 0) -> Tensor:
        """Return the embedding as it is."""
        return x_BTD


class Rotary(nn.Module):
    """Turns each pair of a query's or key's numbers by an angle that grows with position (Su et al. 2021, eq. 34)."""

    sine: Tensor
    cosine: Tensor

    def __init__(self, longest: int, head_width: int) -> None:
        super().__init__()
        angles = _angles(longest, head_width)
        self.register_buffer("sine", angles.sin().float(), persistent=False)
        self.register_buffer("cosine", angles.cos().float(), persistent=False)

    def forward(self, x_BHTK: Tensor, first: int, positions: int) -> Tensor:
        """Return the vectors turned by positions first, first + 1, ...; one position for all turns them alike.

        Dot products then depend on distance alone.
        """
        sine, cosine = (_rows(table, first, positions) for table in (self.sine, self.cosine))
        even, odd = x_BHTK[..., 0::2], x_BHTK[..., 1::2]
        return torch.stack([even * cosine - odd * sine, odd * cosine + even * sine], dim=-1).flatten(-2)


Adder = AddTable | AddLearned | AddNothing


def build_adder(name: PositionsName, longest: int, width: int) -> Adder:
    """Return the part that is applied to the embedding."""
    match name:
        case "sinusoid":
            return AddTable(sinusoid(longest, width))
        case "sinusoid-concat":
            return AddTable(sinusoid_concat(longest, width))
        case "learned":
            return AddLearned(longest, width)
        case "rotary" | "none":
            return AddNothing()
        case _:
            assert_never(name)


def build_rotary(name: PositionsName, longest: int, head_width: int) -> Rotary | None:
    """Return the part that is applied inside self-attention, if these positions have one."""
    return Rotary(longest, head_width) if name == "rotary" else None


def _rows(table: Tensor, first: int, count: int) -> Tensor:
    """Return rows first, first + 1, ...; past the end a slice is short, and one of a single row fits every shape."""
    if first + count > len(table):
        raise DataError(
            f"A sequence of {first + count} tokens came to a model that has {len(table)} positions. "
            f"Cut it to {len(table)} tokens, or train with a larger model.longest."
        )
    return table[first : first + count]
