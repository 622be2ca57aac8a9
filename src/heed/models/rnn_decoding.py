"""The recurrent network that writes, with a memory or a thought vector, whatever made that.

A translator's memory is a text, a captioner's a picture. Each has these parts under these names, so that weights are
called alike, and inherits from here how they work together.
"""

from dataclasses import dataclass, replace
from typing import Literal, Protocol

from torch import Tensor, nn

from heed.layers.attention import Attend
from heed.layers.dropout import Dropout
from heed.layers.recurrent import (
    BahdanauDecoder,
    CellName,
    LuongDecoder,
    Memory,
    PlainDecoder,
    RecurrentAttention,
    RecurrentState,
    build_recurrence,
    reorder_state,
)
from heed.layers.scores import ScoreName, build_score
from heed.layers.trace import Trace

Decoder = PlainDecoder | LuongDecoder | BahdanauDecoder


class RnnDecoderSettings(Protocol):
    """The choices that make a recurrent decoder."""

    @property
    def cell(self) -> CellName:
        """Return what remembers."""

    @property
    def width(self) -> int:
        """D, of the embedding and of the state."""

    @property
    def layers(self) -> int:
        """L, how many recurrences stand on each other."""

    @property
    def attention(self) -> ScoreName | Literal["none"]:
        """Return how well a state fits a vector of the memory; none: there is only the thought vector."""

    @property
    def order(self) -> Literal["luong", "bahdanau"]:
        """Return who asks: the new state, or the previous one."""

    @property
    def dropout(self) -> float:
        """Return the share of numbers that are dropped in training."""


@dataclass(frozen=True)
class RnnState:
    """Where decoding stands: one memory for each source, one recurrent state for each beam."""

    recurrent: RecurrentState  # (L, B * W, D) each
    memory: Memory
    source_mask: Tensor | None
    beams: int  # W


class RnnDecoding(nn.Module):
    """Target tokens and a memory in, logits over the target vocabulary out."""

    target_embedding: nn.Embedding
    dropout: Dropout
    decoder: Decoder
    vocabulary: nn.Linear

    def decoded(
        self,
        memory_BSD: Tensor,
        state: RecurrentState,
        source_mask: Tensor | None,
        target_ids: Tensor,
        trace: Trace | None,
    ) -> Tensor:
        """Return the last vectors (B, T, D): at each position, of what comes after the target so far."""
        embedded_BTD = self.dropout(self.target_embedding(target_ids))
        return self.decoder(embedded_BTD, state, self.decoder.prepare(memory_BSD), source_mask, trace)

    def begin(self, memory_BSD: Tensor, state: RecurrentState, source_mask: Tensor | None) -> RnnState:
        """Return the state before the first step."""
        return RnnState(state, self.decoder.prepare(memory_BSD), source_mask, beams=1)

    def step(self, last_ids_BW: Tensor, state: RnnState) -> tuple[Tensor, RnnState]:
        """Return logits (B, W, V) for what follows each beam's last token, and the state after it."""
        embedded_BWD = self.target_embedding(last_ids_BW)
        hidden_BWD, recurrent = self.decoder.step(embedded_BWD, state.recurrent, state.memory, state.source_mask)
        return self.vocabulary(hidden_BWD), replace(state, recurrent=recurrent)

    def reorder(self, state: RnnState, sources: Tensor, beams: Tensor) -> RnnState:
        """Keep the named sources; let new beam w of each continue its old beam `beams[b, w]`."""
        recurrent = reorder_state(state.recurrent, sources, beams, state.beams)
        keys, values = state.memory
        if len(sources) == len(keys):
            return replace(state, recurrent=recurrent, beams=beams.shape[1])
        mask = None if state.source_mask is None else state.source_mask[sources]
        return RnnState(recurrent, (keys[sources], values[sources]), mask, beams=beams.shape[1])


def build_decoder(settings: RnnDecoderSettings, places: int) -> Decoder:
    """Return the recurrent part, with attention over up to `places` vectors or without."""
    width, dropout = settings.width, settings.dropout
    if settings.attention == "none":
        return PlainDecoder(build_recurrence(settings.cell, width, width, settings.layers, dropout), dropout)
    score = build_score(settings.attention, heads=1, head_width=width, places=places)
    attention = RecurrentAttention(Attend(score, "decoder.cross"))
    match settings.order:
        case "luong":
            recurrence = build_recurrence(settings.cell, width, width, settings.layers, dropout)
            return LuongDecoder(recurrence, attention, dropout)
        case "bahdanau":
            recurrence = build_recurrence(settings.cell, 2 * width, width, settings.layers, dropout)
            return BahdanauDecoder(recurrence, attention, dropout)
