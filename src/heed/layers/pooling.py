"""One vector for a whole text, out of the vectors of its positions; padding is never looked at.

| name      | the text's vector                                                                  |
|-----------|------------------------------------------------------------------------------------|
| last      | where reading ended: the last position; of the backward direction, the first       |
| mean      | the mean of all real positions                                                     |
| max       | number by number, the largest of all real positions (Conneau et al. 2017)          |
| attention | a mixture, weighted by what a learnt query asks for (Yang et al. 2016, eq. 5 to 7) |
| first     | the first position, where a model has put a vector of its own (Devlin et al. 2019) |

All are called alike, with the positions (B, T, D), what is real, and a trace. Real positions stand first in each row.
"""

from typing import Literal, assert_never

import torch
from torch import Tensor, nn

from heed.layers.attention import Attend
from heed.layers.masks import attend_to_real
from heed.layers.scores import ScoreName, build_score
from heed.layers.trace import Trace


class LastPooling(nn.Module):
    """Where reading ended: of two directions side by side, the last real position of one and the first of the other."""

    def __init__(self, bidirectional: bool) -> None:
        super().__init__()
        self.bidirectional = bidirectional

    def forward(self, states_BTD: Tensor, keep: Tensor, trace: Trace | None = None) -> Tensor:
        """Return (B, D)."""
        rows_B = torch.arange(len(keep), device=keep.device)
        last_BD = states_BTD[rows_B, keep.sum(dim=1) - 1]
        if not self.bidirectional:
            return last_BD
        forwards_BX, _ = last_BD.chunk(2, dim=-1)
        _, backwards_BX = states_BTD[:, 0].chunk(2, dim=-1)
        return torch.cat([forwards_BX, backwards_BX], dim=-1)


class MeanPooling(nn.Module):
    """The mean of all real positions."""

    def forward(self, states_BTD: Tensor, keep: Tensor, trace: Trace | None = None) -> Tensor:
        """Return (B, D)."""
        return states_BTD.masked_fill(~keep[..., None], 0.0).sum(dim=1) / keep.sum(dim=1, keepdim=True)


class MaxPooling(nn.Module):
    """Number by number, the largest of all real positions."""

    def forward(self, states_BTD: Tensor, keep: Tensor, trace: Trace | None = None) -> Tensor:
        """Return (B, D)."""
        return states_BTD.masked_fill(~keep[..., None], float("-inf")).max(dim=1).values


class AttentionPooling(nn.Module):
    """A learnt query asks all real positions; one head, and no projections: the states themselves are mixed."""

    def __init__(self, width: int, attend: Attend) -> None:
        super().__init__()
        # Not zero: the cosine score has no direction to learn from there. As long as 1, so that first weights are soft.
        self.query_D = nn.Parameter(torch.empty(width).normal_(std=width**-0.5))
        self.attend = attend

    def forward(self, states_BTD: Tensor, keep: Tensor, trace: Trace | None = None) -> Tensor:
        """Return (B, D)."""
        query_B11D = self.query_D.expand(len(keep), 1, 1, -1)
        values_B1TD = states_BTD.unsqueeze(1)
        keys_B1TD = self.attend.score.prepare(values_B1TD)
        return self.attend(query_B11D, keys_B1TD, values_B1TD, attend_to_real(keep), trace).flatten(1)


class FirstPooling(nn.Module):
    """The first position."""

    def forward(self, states_BTD: Tensor, keep: Tensor, trace: Trace | None = None) -> Tensor:
        """Return (B, D)."""
        return states_BTD[:, 0]


Pooling = LastPooling | MeanPooling | MaxPooling | AttentionPooling | FirstPooling


def build_pooling(
    name: Literal["mean", "max", "attention"], width: int, score: ScoreName, places: int
) -> MeanPooling | MaxPooling | AttentionPooling:
    """Return a pooling that suits any model; `score` and `places` (the longest text) are those of attention."""
    match name:
        case "mean":
            return MeanPooling()
        case "max":
            return MaxPooling()
        case "attention":
            return AttentionPooling(width, Attend(build_score(score, 1, width, places), "pool"))
        case _:
            assert_never(name)
