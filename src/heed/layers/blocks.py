"""Encoder and decoder blocks: attention and feed-forward, each inside an "add and norm"."""

from collections.abc import Callable

from torch import Tensor, nn

from heed.layers.attention import CrossAttention, SelfAttention
from heed.layers.cache import BeamCache
from heed.layers.dropout import Dropout
from heed.layers.feedforward import FeedForward, GatedFeedForward
from heed.layers.masks import attend_to_past
from heed.layers.norms import Norm
from heed.layers.trace import Trace


class AddAndNorm(nn.Module):
    """A sublayer with its norm before (Xiong et al. 2020) or after it (Vaswani et al. 2017), with a residual or not.

    `between` is applied to what the sublayer says, before it is added: `layers/residual.py` has such parts.
    """

    def __init__(
        self, norm: Norm, norm_first: bool, residual: bool, dropout: float, between: nn.Module | None = None
    ) -> None:
        super().__init__()
        self.norm = norm
        self.norm_first = norm_first
        self.residual = residual
        self.dropout = Dropout(dropout)
        self.between = between

    def forward(self, x_BTD: Tensor, sublayer: Callable[[Tensor], Tensor], keep: Tensor | None) -> Tensor:
        """Return (B, T, D)."""
        return self._joined(x_BTD, sublayer(self._prepared(x_BTD, keep)), keep)

    def first(self, x_BTD: Tensor, sublayer: Callable[[Tensor], Tensor], keep: Tensor | None) -> Tensor:
        """Return (B, 1, D): the first position alone, of a sublayer that reads all and answers for that one."""
        return self._joined(x_BTD[:, :1], sublayer(self._prepared(x_BTD, keep)), None if keep is None else keep[:, :1])

    def _prepared(self, x_BTD: Tensor, keep: Tensor | None) -> Tensor:
        return self.norm(x_BTD, keep) if self.norm_first else x_BTD

    def _joined(self, x_BTD: Tensor, change_BTD: Tensor, keep: Tensor | None) -> Tensor:
        if self.training:
            change_BTD = self.dropout(change_BTD)
        if self.between is not None:
            change_BTD = self.between(change_BTD)
        result_BTD = x_BTD + change_BTD if self.residual else change_BTD
        return result_BTD if self.norm_first else self.norm(result_BTD, keep)


class EncoderBlock(nn.Module):
    """Self-attention, then feed-forward."""

    def __init__(
        self, attention: SelfAttention, feedforward: FeedForward | GatedFeedForward, around: Callable[[], AddAndNorm]
    ) -> None:
        super().__init__()
        self.attention = attention
        self.feedforward = feedforward
        self.around_attention = around()
        self.around_feedforward = around()

    def forward(self, x_BTD: Tensor, keep: Tensor, may_attend: Tensor | None, trace: Trace | None = None) -> Tensor:
        """Return (B, T, D)."""
        x_BTD = self.around_attention(x_BTD, lambda x: self.attention(x, may_attend, trace), keep)
        return self.around_feedforward(x_BTD, self.feedforward, keep)

    def first(self, x_BTD: Tensor, keep: Tensor, may_attend: Tensor | None, trace: Trace | None = None) -> Tensor:
        """Return (B, 1, D), what `forward` gives for the first position: the others are looked at and do not look.

        Not for batch norm, which learns from every position.
        """
        x_B1D = self.around_attention.first(x_BTD, lambda x: self.attention.first(x, may_attend, trace), keep)
        return self.around_feedforward(x_B1D, self.feedforward, keep[:, :1])


class DecoderBlock(nn.Module):
    """Causal self-attention, attention over the memory, then feed-forward."""

    def __init__(
        self,
        attention: SelfAttention,
        cross: CrossAttention,
        feedforward: FeedForward | GatedFeedForward,
        around: Callable[[], AddAndNorm],
    ) -> None:
        super().__init__()
        self.attention = attention
        self.cross = cross
        self.feedforward = feedforward
        self.around_attention = around()
        self.around_cross = around()
        self.around_feedforward = around()

    def forward(
        self,
        x_BTD: Tensor,
        keep: Tensor | None,
        memory: tuple[Tensor, Tensor],
        source_mask: Tensor | None,
        trace: Trace | None = None,
    ) -> Tensor:
        """Return (B, T, D). Padding stands at the end, so the causal mask hides it from every real position."""
        past = attend_to_past(x_BTD.shape[1], x_BTD.device)
        x_BTD = self.around_attention(x_BTD, lambda x: self.attention(x, past, trace), keep)
        x_BTD = self.around_cross(x_BTD, lambda x: self.cross(x, memory, source_mask, trace), keep)
        return self.around_feedforward(x_BTD, self.feedforward, keep)

    def step(
        self, x_BWD: Tensor, cache: BeamCache, layer: int, memory: tuple[Tensor, Tensor], source_mask: Tensor | None
    ) -> Tensor:
        """Return (B, W, D) for the newest token of each beam."""
        x_BWD = self.around_attention(x_BWD, lambda x: self.attention.step(x, cache, layer), None)
        x_BWD = self.around_cross(x_BWD, lambda x: self.cross(x, memory, source_mask), None)
        return self.around_feedforward(x_BWD, self.feedforward, None)
