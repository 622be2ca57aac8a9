"""Sequence to sequence with a recurrent encoder and decoder: thought vector, Luong's or Bahdanau's attention."""

from dataclasses import dataclass, replace
from typing import Literal

from torch import Tensor, nn

from heed.errors import SettingsError
from heed.layers.attention import Attend
from heed.layers.dropout import Dropout
from heed.layers.masks import attend_to_real
from heed.layers.recurrent import (
    BahdanauDecoder,
    CellName,
    LuongDecoder,
    Memory,
    PlainDecoder,
    RecurrentAttention,
    RecurrentEncoder,
    RecurrentState,
    build_recurrence,
    reorder_state,
    start_recurrent_weights,
)
from heed.layers.scores import ScoreName, build_score
from heed.layers.trace import Trace
from heed.models.ranges import check_longest, check_shares, check_sizes
from heed.settings import settings


@settings
class RnnSettings:
    """The default is an LSTM with Luong's attention, whose training runs over all steps at once."""

    kind: Literal["rnn"] = "rnn"
    cell: CellName = "lstm"
    width: int = 256  # D, of the embedding and of the state; a bidirectional encoder has half of it each way
    layers: int = 1
    bidirectional: bool = True
    # "scaled" learns slowest here: without projections, its division by the square root of the width blurs the weights.
    attention: ScoreName | Literal["none"] = "general"  # none: the thought vector alone
    order: Literal["luong", "bahdanau"] = "luong"  # who asks: the new state, or the previous one
    dropout: float = 0.2
    tie: Literal["all", "output", "none"] = "all"  # which of source, target and output tables are one
    longest: int = 256  # longer texts are cut, and the cut is counted

    def __post_init__(self) -> None:
        check_sizes({"width": self.width, "layers": self.layers})
        check_longest(self.longest)
        check_shares({"dropout": self.dropout})
        if self.bidirectional and self.width % 2:
            raise SettingsError(f"model.width is {self.width}; a bidirectional encoder needs an even width.")


PRESETS = {cell: RnnSettings(cell=cell) for cell in ("rnn", "lstm", "gru")}


@dataclass(frozen=True)
class RnnState:
    """Where decoding stands: one memory for each source, one recurrent state for each beam."""

    recurrent: RecurrentState  # (L, B * W, D) each
    memory: Memory
    source_mask: Tensor | None
    beams: int  # W


class RnnSeq2Seq(nn.Module):
    """Source tokens in, logits over the target vocabulary out."""

    def __init__(self, settings: RnnSettings, source_size: int, target_size: int) -> None:
        super().__init__()
        self.settings = settings
        if settings.tie == "all" and source_size != target_size:
            raise SettingsError(
                f"model.tie=all needs one vocabulary for both sides; the source has {source_size} pieces, "
                f"the target {target_size}. Use shared_tokens=true or model.tie=output."
            )
        self.source_embedding = nn.Embedding(source_size, settings.width)
        self.target_embedding = (
            self.source_embedding if settings.tie == "all" else nn.Embedding(target_size, settings.width)
        )
        self.dropout = Dropout(settings.dropout)
        self.encoder = RecurrentEncoder(
            settings.cell, settings.width, settings.width, settings.layers, settings.dropout, settings.bidirectional
        )
        self.decoder = _build_decoder(settings)
        self.vocabulary = nn.Linear(settings.width, target_size)
        self._start_weights()
        if settings.tie != "none":
            self.vocabulary.weight = self.target_embedding.weight

    def forward(
        self,
        source_ids: Tensor,
        source_keep: Tensor,
        target_ids: Tensor,
        target_keep: Tensor | None = None,
        trace: Trace | None = None,
    ) -> Tensor:
        """Return logits (B, T, V): at each position, what comes after the target so far."""
        return self.vocabulary(self.hidden(source_ids, source_keep, target_ids, target_keep, trace))

    def hidden(
        self,
        source_ids: Tensor,
        source_keep: Tensor,
        target_ids: Tensor,
        target_keep: Tensor | None = None,
        trace: Trace | None = None,
    ) -> Tensor:
        """Return the decoder's last vectors (B, T, D): a loss needs the logits of real tokens only."""
        memory_BSD, state = self.encoder(self.dropout(self.source_embedding(source_ids)), source_keep)
        embedded_BTD = self.dropout(self.target_embedding(target_ids))
        memory = self.decoder.prepare(memory_BSD)
        return self.decoder(embedded_BTD, state, memory, attend_to_real(source_keep), trace)

    def start(self, source_ids: Tensor, source_keep: Tensor) -> RnnState:
        """Return the state before the first step."""
        memory_BSD, state = self.encoder(self.source_embedding(source_ids), source_keep)
        memory = self.decoder.prepare(memory_BSD)
        return RnnState(state, memory, attend_to_real(source_keep), beams=1)

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

    def _start_weights(self) -> None:
        start_recurrent_weights(self)
        for table in (self.source_embedding, self.target_embedding, self.vocabulary):
            nn.init.normal_(table.weight, std=self.settings.width**-0.5)


def _build_decoder(settings: RnnSettings) -> PlainDecoder | LuongDecoder | BahdanauDecoder:
    width, dropout = settings.width, settings.dropout
    if settings.attention == "none":
        return PlainDecoder(build_recurrence(settings.cell, width, width, settings.layers, dropout), dropout)
    score = build_score(settings.attention, heads=1, head_width=width, places=settings.longest)
    attention = RecurrentAttention(Attend(score, "decoder.cross"))
    match settings.order:
        case "luong":
            recurrence = build_recurrence(settings.cell, width, width, settings.layers, dropout)
            return LuongDecoder(recurrence, attention, dropout)
        case "bahdanau":
            recurrence = build_recurrence(settings.cell, 2 * width, width, settings.layers, dropout)
            return BahdanauDecoder(recurrence, attention, dropout)
