"""Multi-head attention: self, causal and cross; the fused kernel wherever the score is a dot product.

Weights are computed beside the kernel only when a trace asks for them, so looking changes nothing.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

from heed.layers.cache import BeamCache
from heed.layers.digits import with_digits
from heed.layers.dropout import keep_or_drop
from heed.layers.masks import masked_softmax
from heed.layers.positions import Rotary
from heed.layers.scores import DotLike, LocationScore, Score, score_keys
from heed.layers.trace import Trace


class Attend(nn.Module):
    """softmax(score(q, k)) v over heads: the part that all attentions share."""

    def __init__(self, score: Score, site: str, dropout: float = 0.0) -> None:
        super().__init__()
        self.score = score
        self.site = site
        self.dropout = dropout

    def forward(
        self,
        q_BHTK: Tensor,
        k_BHSK: Tensor,
        v_BHSK: Tensor,
        may_attend: Tensor | None,
        trace: Trace | None = None,
        places_S: Tensor | None = None,
    ) -> Tensor:
        """Return the weighted values (B, H, T, K) of keys that `score.prepare` has seen.

        `places_S` tells where the keys stand when it is not 0, 1, 2, ...
        """
        asking = trace if trace is not None and trace.wants(self.site) else None
        if asking is not None or not isinstance(self.score, DotLike):
            weights_BHTS = masked_softmax(score_keys(self.score, q_BHTK, k_BHSK, places_S), may_attend)
        if asking is not None:
            asking.record(self.site, weights_BHTS)
        if self.training and self.dropout > 0:
            return self._mix_with_dropout(q_BHTK, k_BHSK, v_BHSK, may_attend, places_S)
        if not isinstance(self.score, DotLike):
            return weights_BHTS @ v_BHSK
        q_BHTK, k_BHSK, scale = self.score.as_dot(q_BHTK, k_BHSK)
        if q_BHTK.dtype == torch.bfloat16:
            # For sentences its bfloat16 kernel takes three to four times as long on the way back as that for float32.
            return _fused(q_BHTK.float(), k_BHSK.float(), v_BHSK.float(), may_attend, scale).bfloat16()
        return _fused(q_BHTK, k_BHSK, v_BHSK, may_attend, scale)

    def show(self, q_BHTK: Tensor, k_BHSK: Tensor, may_attend: Tensor | None, trace: Trace | None) -> None:
        """Let a trace that asks for this site have the weights of these queries, and mix nothing."""
        if trace is not None and trace.wants(self.site):
            trace.record(self.site, masked_softmax(score_keys(self.score, q_BHTK, k_BHSK), may_attend))

    def _mix_with_dropout(
        self, q_BHTK: Tensor, k_BHSK: Tensor, v_BHSK: Tensor, may_attend: Tensor | None, places_S: Tensor | None
    ) -> Tensor:
        """Return the weighted values, some weights dropped: torch's kernel is not fused then, and draws by batch."""
        if isinstance(self.score, DotLike):
            q_BHTK, k_BHSK = with_digits(q_BHTK), with_digits(k_BHSK)
        weights_BHTS = masked_softmax(score_keys(self.score, q_BHTK, k_BHSK, places_S), may_attend)
        # Positions stand behind the example: what is drawn at one does not depend on how many there are.
        factors_BTHS = keep_or_drop(weights_BHTS.transpose(1, 2), self.dropout, self)
        return (weights_BHTS * factors_BTHS.transpose(1, 2)).to(v_BHSK.dtype) @ v_BHSK


def _fused(q_BHTK: Tensor, k_BHSK: Tensor, v_BHSK: Tensor, may_attend: Tensor | None, scale: float) -> Tensor:
    return functional.scaled_dot_product_attention(q_BHTK, k_BHSK, v_BHSK, attn_mask=may_attend, scale=scale)


class SelfAttention(nn.Module):
    """Queries, keys and values all from the same sequence, by one joint projection."""

    def __init__(
        self, width: int, heads: int, attend: Attend, rotary: Rotary | None = None, projection_bias: bool = True
    ) -> None:
        super().__init__()
        self.heads = heads
        self.project = nn.Linear(width, 3 * width, bias=projection_bias)
        self.attend = attend
        self.rotary = rotary
        self.output = nn.Linear(width, width)

    def forward(self, x_BTD: Tensor, may_attend: Tensor | None, trace: Trace | None = None) -> Tensor:
        """Return (B, T, D): each position's mixture of what it may look at."""
        q_BHTK, k_BHTK, v_BHTK = self._project(x_BTD, first=0, positions=x_BTD.shape[1])
        mixed_BHTK = self.attend(q_BHTK, k_BHTK, v_BHTK, may_attend, trace)
        return self.output(merge_heads(mixed_BHTK))

    def first(self, x_BTD: Tensor, may_attend: Tensor | None, trace: Trace | None = None) -> Tensor:
        """Return (B, 1, D), what `forward` gives for the first position; a trace is shown what all look at."""
        q_BHTK, k_BHTK, v_BHTK = self._project(x_BTD, first=0, positions=x_BTD.shape[1])
        mixed_BH1K = self.attend(q_BHTK[:, :, :1], k_BHTK, v_BHTK, may_attend, trace)
        self.attend.show(q_BHTK, k_BHTK, may_attend, trace)
        return self.output(merge_heads(mixed_BH1K))

    def read(self, x_BTD: Tensor, may_attend: Tensor | None, cache: BeamCache, layer: int) -> Tensor:
        """Return what `forward` does, and leave keys and values in the cache: steps go on from the last position."""
        q_BHTK, k_BHTK, v_BHTK = self._project(x_BTD, first=0, positions=x_BTD.shape[1])
        mixed_BHTK = self.attend(q_BHTK, *cache.extend(layer, k_BHTK, v_BHTK), may_attend)
        return self.output(merge_heads(mixed_BHTK))

    def step(self, x_BWD: Tensor, cache: BeamCache, layer: int) -> Tensor:
        """Return (B, W, D): each beam's newest token looks at itself and at its own past, kept in the cache."""
        q_BHWK, k_BHWK, v_BHWK = self._project(x_BWD, first=cache.position, positions=1)
        k_BHNK, v_BHNK = cache.extend(layer, k_BHWK, v_BHWK)
        places_N = cache.places() if isinstance(self.attend.score, LocationScore) else None
        mixed_BHWK = self.attend(q_BHWK, k_BHNK, v_BHNK, cache.may_attend(), places_S=places_N)
        return self.output(merge_heads(mixed_BHWK))

    def _project(self, x_BTD: Tensor, first: int, positions: int) -> tuple[Tensor, Tensor, Tensor]:
        q_BHTK, k_BHTK, v_BHTK = heads_of(self.project(x_BTD), 3, self.heads)
        if self.rotary is not None:
            q_BHTK, k_BHTK = self.rotary(q_BHTK, first, positions), self.rotary(k_BHTK, first, positions)
        return q_BHTK, self.attend.score.prepare(k_BHTK), v_BHTK


class CrossAttention(nn.Module):
    """Queries from one sequence, keys and values from another (the encoder's memory)."""

    def __init__(self, width: int, heads: int, attend: Attend) -> None:
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width)
        self.key_value = nn.Linear(width, 2 * width)
        self.attend = attend
        self.output = nn.Linear(width, width)

    def keys_and_values(self, memory_BSD: Tensor) -> tuple[Tensor, Tensor]:
        """Return the keys and values (B, H, S, K) of a memory: made once, used at every step of decoding."""
        k_BHSK, v_BHSK = heads_of(self.key_value(memory_BSD), 2, self.heads)
        return self.attend.score.prepare(k_BHSK), v_BHSK

    def forward(
        self, x_BTD: Tensor, memory: tuple[Tensor, Tensor], may_attend: Tensor | None, trace: Trace | None = None
    ) -> Tensor:
        """Return (B, T, D): each position's mixture of the memory. Beams stand where positions stand."""
        k_BHSK, v_BHSK = memory
        q_BHTK = split_heads(self.query(x_BTD), self.heads)
        return self.output(merge_heads(self.attend(q_BHTK, k_BHSK, v_BHSK, may_attend, trace)))


def heads_of(joint_BTX: Tensor, parts: int, heads: int) -> list[Tensor]:
    """Return (B, H, T, K) for each of the parts that stand side by side in a joint projection, X = parts * D wide.

    They are cut before they are split: on the way back their gradients are put together once, and not copied again.
    """
    return [split_heads(part_BTD, heads) for part_BTD in joint_BTX.chunk(parts, dim=-1)]


def split_heads(x_BTD: Tensor, heads: int) -> Tensor:
    """Return (B, H, T, K): the width cut into heads."""
    batch, positions, width = x_BTD.shape
    return x_BTD.view(batch, positions, heads, width // heads).transpose(1, 2)


def merge_heads(x_BHTK: Tensor) -> Tensor:
    """Return (B, T, D): the heads side by side again."""
    return x_BHTK.transpose(1, 2).flatten(2)
