"""The half of a Transformer that writes: blocks that look at what was written and at a memory, whatever made that.

A translator's memory is a text, a captioner's a picture. Each has these parts under these names, so that weights are
called alike, and inherits from here how they work together.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

from torch import Tensor, nn

from heed.layers.attention import CrossAttention
from heed.layers.blocks import DecoderBlock
from heed.layers.cache import BeamCache, empty_cache
from heed.layers.dropout import Dropout
from heed.layers.norms import Norm
from heed.layers.positions import Adder
from heed.layers.trace import Trace
from heed.models.block_settings import (
    BlockSettings,
    build_around,
    build_attend,
    build_block_feedforward,
    build_self_attention,
)


@dataclass(frozen=True)
class TransformerState:
    """Where decoding stands: one memory for each source, one past for each beam."""

    memory: list[tuple[Tensor, Tensor]]  # for each layer keys and values (B, H, S, K)
    source_mask: Tensor | None
    cache: BeamCache


class TransformerDecoding(nn.Module):
    """Target tokens and a memory in, logits over the target vocabulary out."""

    target_embedding: nn.Embedding
    target_positions: Adder
    dropout: Dropout
    decoder: nn.ModuleList
    decoder_norm: Norm
    vocabulary: nn.Linear

    def decoded(
        self,
        memory_BSD: Tensor,
        source_mask: Tensor | None,
        target_ids: Tensor,
        target_keep: Tensor | None,
        trace: Trace | None,
    ) -> Tensor:
        """Return the last vectors (B, T, D): at each position, of what comes after the target so far."""
        x_BTD = self.dropout(self.target_positions(self._embed(self.target_embedding, target_ids)))
        for block in self._decoder_blocks():
            x_BTD = block(x_BTD, target_keep, block.cross.keys_and_values(memory_BSD), source_mask, trace)
        return self.decoder_norm(x_BTD, target_keep)

    def begin(self, memory_BSD: Tensor, source_mask: Tensor | None) -> TransformerState:
        """Return the state before the first step: keys and values of the memory are made once, and kept."""
        memory = [block.cross.keys_and_values(memory_BSD) for block in self._decoder_blocks()]
        return TransformerState(memory, source_mask, empty_cache(len(memory_BSD), memory_BSD.device))

    def step(self, last_ids_BW: Tensor, state: TransformerState) -> tuple[Tensor, TransformerState]:
        """Return logits (B, W, V) for what follows each beam's last token, and the state after it."""
        cache = state.cache.open_slots(last_ids_BW.shape[1])
        x_BWD = self._embed(self.target_embedding, last_ids_BW)
        # All beams stand at the same position, so they are given it one by one as if each were a sequence of one.
        rows_R1D = x_BWD.view(last_ids_BW.numel(), 1, x_BWD.shape[-1])
        x_BWD = self.target_positions(rows_R1D, first=cache.position).view_as(x_BWD)
        for layer, (block, memory) in enumerate(zip(self._decoder_blocks(), state.memory, strict=True)):
            x_BWD = block.step(x_BWD, cache, layer, memory, state.source_mask)
        logits_BWV = self.vocabulary(self.decoder_norm(x_BWD))
        return logits_BWV, TransformerState(state.memory, state.source_mask, cache)

    def reorder(self, state: TransformerState, sources: Tensor, beams: Tensor) -> TransformerState:
        """Keep the named sources; let new beam w of each continue its old beam `beams[b, w]`."""
        cache, memory, mask = state.cache.reorder(sources, beams), state.memory, state.source_mask
        if len(sources) < len(state.cache.ancestors_BWN):
            memory = [(k_BHSK[sources], v_BHSK[sources]) for k_BHSK, v_BHSK in memory]
            mask = None if mask is None else mask[sources]
        return TransformerState(memory, mask, cache)

    def _decoder_blocks(self) -> Iterable[DecoderBlock]:
        # nn.ModuleList does not know the type of what it holds.
        return cast(Iterable[DecoderBlock], self.decoder)

    def _embed(self, embedding: nn.Embedding, token_ids: Tensor) -> Tensor:
        # The table starts small because it is also the output layer; the scale makes it as large as the positions.
        return embedding(token_ids) * math.sqrt(embedding.embedding_dim)


def build_decoder_block(settings: BlockSettings, layer: int, written: int, read: int) -> DecoderBlock:
    """Return a block that looks at up to `written` tokens and at a memory of up to `read` vectors."""
    cross = CrossAttention(settings.width, settings.heads, build_attend(settings, f"decoder.{layer}.cross", read))
    self_attention = build_self_attention(settings, f"decoder.{layer}.self", written)
    return DecoderBlock(self_attention, cross, build_block_feedforward(settings), build_around(settings))
