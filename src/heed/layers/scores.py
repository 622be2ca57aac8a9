"""The six attention scores of the decks, as parts: how well does a query fit a key?

| name     | score(q, k)                | source                                        |
|----------|----------------------------|-----------------------------------------------|
| scaled   | q . k / sqrt(K)            | Vaswani et al. 2017, eq. 1                    |
| dot      | q . k                      | Luong et al. 2015, eq. 8                      |
| general  | q . W k                    | Luong et al. 2015, eq. 8                      |
| cosine   | strength * cos(q, k)       | Graves et al. 2014, eq. 5 and 6 (content)     |
| additive | v . tanh(W q + U k)        | Bahdanau et al. 2015, appendix A.1.2 (concat) |
| location | (W q) at the key's place   | Luong et al. 2015, eq. 9                      |

The first four are dot products of changed queries and keys, so the fused kernel can run them: they have `as_dot`. The
other two have only `forward`. All work head by head on (B, H, T, K) queries and (B, H, S, K) keys. What can be computed
once of a key, for all queries that will ever look at it, is done by `prepare`; everything else takes prepared keys.
"""

import math
from typing import Literal, NamedTuple, assert_never

import torch
from torch import Tensor, nn
from torch.nn import functional

ScoreName = Literal["scaled", "dot", "general", "cosine", "additive", "location"]


class DotForm(NamedTuple):
    """A score written as `scale * (query . key)`."""

    q_BHTK: Tensor
    k_BHSK: Tensor
    scale: float


class DotScore(nn.Module):
    """`scale * (q . k)`: the plain dot product with scale 1, the scaled one with 1 / sqrt(K)."""

    def __init__(self, scale: float) -> None:
        super().__init__()
        self.scale = scale

    def prepare(self, k_BHSK: Tensor) -> Tensor:
        """Return the keys as they are."""
        return k_BHSK

    def as_dot(self, q_BHTK: Tensor, k_BHSK: Tensor) -> DotForm:
        """Return the score as a dot product."""
        return DotForm(q_BHTK, k_BHSK, self.scale)


class GeneralScore(nn.Module):
    """`q . W k` with a matrix for each head."""

    def __init__(self, heads: int, head_width: int) -> None:
        super().__init__()
        # Begins at the plain dot product scaled down, so that the first steps of training see soft weights.
        self.weight_HKK = nn.Parameter(torch.eye(head_width).repeat(heads, 1, 1) / math.sqrt(head_width))

    def prepare(self, k_BHSK: Tensor) -> Tensor:
        """Return W k."""
        return k_BHSK @ self.weight_HKK.mT

    def as_dot(self, q_BHTK: Tensor, k_BHSK: Tensor) -> DotForm:
        """Return the score as a dot product with the changed keys."""
        return DotForm(q_BHTK, k_BHSK, 1.0)


class CosineScore(nn.Module):
    """`strength * cos(q, k)`: the content score of deck 3 has strength 1, which cannot be sharp, so it is learnt."""

    def __init__(self, heads: int, strength: float = 8.0) -> None:
        super().__init__()
        self.strength_H = nn.Parameter(torch.full((heads,), strength))

    def prepare(self, k_BHSK: Tensor) -> Tensor:
        """Return unit keys."""
        return functional.normalize(k_BHSK, dim=-1)

    def as_dot(self, q_BHTK: Tensor, k_BHSK: Tensor) -> DotForm:
        """Return the score as a dot product of unit vectors."""
        return DotForm(functional.normalize(q_BHTK, dim=-1) * self.strength_H[:, None, None], k_BHSK, 1.0)


class AdditiveScore(nn.Module):
    """`v . tanh(W q + U k)`, a small network with one hidden layer in each head."""

    def __init__(self, heads: int, head_width: int) -> None:
        super().__init__()
        bound = 1 / math.sqrt(head_width)
        self.query_weight_HKK = nn.Parameter(torch.empty(heads, head_width, head_width).uniform_(-bound, bound))
        self.key_weight_HKK = nn.Parameter(torch.empty(heads, head_width, head_width).uniform_(-bound, bound))
        self.sum_weight_HK = nn.Parameter(torch.empty(heads, head_width).uniform_(-bound, bound))

    def prepare(self, k_BHSK: Tensor) -> Tensor:
        """Return U k."""
        return k_BHSK @ self.key_weight_HKK

    def forward(self, q_BHTK: Tensor, k_BHSK: Tensor) -> Tensor:
        """Return scores (B, H, T, S)."""
        query_BHT1K = (q_BHTK @ self.query_weight_HKK).unsqueeze(3)
        hidden_BHTSK = torch.tanh(query_BHT1K + k_BHSK.unsqueeze(2))
        return torch.einsum("bhtsk,hk->bhts", hidden_BHTSK, self.sum_weight_HK)


class LocationScore(nn.Module):
    """A score for each place of the source, read off the query alone; what stands at the place is not looked at."""

    def __init__(self, heads: int, head_width: int, places: int) -> None:
        super().__init__()
        bound = 1 / math.sqrt(head_width)
        self.weight_HKS = nn.Parameter(torch.empty(heads, head_width, places).uniform_(-bound, bound))

    def prepare(self, k_BHSK: Tensor) -> Tensor:
        """Return the keys as they are; only their number matters."""
        return k_BHSK

    def forward(self, q_BHTK: Tensor, places_S: Tensor) -> Tensor:
        """Return scores (B, H, T, S) for keys that stand at the given places."""
        return q_BHTK @ self.weight_HKS[:, :, places_S]


DotLike = DotScore | GeneralScore | CosineScore
Score = DotLike | AdditiveScore | LocationScore


def build_score(name: ScoreName, heads: int, head_width: int, places: int) -> Score:
    """Return the named score; `places` is the longest source that the location score can see."""
    match name:
        case "scaled":
            return DotScore(1 / math.sqrt(head_width))
        case "dot":
            return DotScore(1.0)
        case "general":
            return GeneralScore(heads, head_width)
        case "cosine":
            return CosineScore(heads)
        case "additive":
            return AdditiveScore(heads, head_width)
        case "location":
            return LocationScore(heads, head_width, places)
        case _:
            assert_never(name)


def score_keys(score: Score, q_BHTK: Tensor, k_BHSK: Tensor, places_S: Tensor | None = None) -> Tensor:
    """Return the scores (B, H, T, S) of prepared keys, which stand at 0, 1, ... unless told."""
    match score:
        case AdditiveScore():
            return score(q_BHTK, k_BHSK)
        case LocationScore():
            if places_S is None:
                places_S = torch.arange(k_BHSK.shape[2], device=k_BHSK.device)
            return score(q_BHTK, places_S)
        case DotScore() | GeneralScore() | CosineScore():
            q_BHTK, k_BHSK, scale = score.as_dot(q_BHTK, k_BHSK)
            return q_BHTK @ k_BHSK.mT * scale
        case _:
            assert_never(score)
