"""`CausalBlock`: the block of a decoder that has no source: self-attention that looks back alone, then feed-forward."""

from collections.abc import Callable

from torch import Tensor, nn

from heed.layers.attention import SelfAttention
from heed.layers.blocks import AddAndNorm
from heed.layers.cache import BeamCache
from heed.layers.feedforward import FeedForward, GatedFeedForward
from heed.layers.trace import Trace


class CausalBlock(nn.Module):
    """Reads a text at once (`forward`, or `read` to go on from its end) or token by token (`step`)."""

    def __init__(
        self, attention: SelfAttention, feedforward: FeedForward | GatedFeedForward, around: Callable[[], AddAndNorm]
    ) -> None:
        super().__init__()
        self.attention = attention
        self.feedforward = feedforward
        self.around_attention = around()
        self.around_feedforward = around()

    def forward(self, x_BTD: Tensor, keep: Tensor | None, past: Tensor, trace: Trace | None = None) -> Tensor:
        """Return (B, T, D). Padding stands at the end, so `past` hides it from every real position."""
        x_BTD = self.around_attention(x_BTD, lambda x: self.attention(x, past, trace), keep)
        return self.around_feedforward(x_BTD, self.feedforward, keep)

    def read(self, x_BTD: Tensor, past: Tensor, cache: BeamCache, layer: int) -> Tensor:
        """Return (B, T, D) of texts without padding, and leave their keys and values in the cache."""
        x_BTD = self.around_attention(x_BTD, lambda x: self.attention.read(x, past, cache, layer), None)
        return self.around_feedforward(x_BTD, self.feedforward, None)

    def step(self, x_BWD: Tensor, cache: BeamCache, layer: int) -> Tensor:
        """Return (B, W, D) for the newest token of each beam."""
        x_BWD = self.around_attention(x_BWD, lambda x: self.attention.step(x, cache, layer), None)
        return self.around_feedforward(x_BWD, self.feedforward, None)
