"""Sequence to sequence with a recurrent encoder and decoder: thought vector, Luong's or Bahdanau's attention."""

from typing import Literal

from torch import Tensor, nn

from heed.errors import SettingsError
from heed.layers.dropout import Dropout
from heed.layers.masks import attend_to_real
from heed.layers.recurrent import (
    CellName,
    RecurrentEncoder,
    start_recurrent_weights,
)
from heed.layers.scores import ScoreName
from heed.layers.trace import Trace
from heed.models.ranges import check_longest, check_shares, check_sizes
from heed.models.rnn_decoding import RnnDecoding, RnnState, build_decoder
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


class RnnSeq2Seq(RnnDecoding):
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
        self.decoder = build_decoder(settings, places=settings.longest)
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
        return self.decoded(memory_BSD, state, attend_to_real(source_keep), target_ids, trace)

    def start(self, source_ids: Tensor, source_keep: Tensor) -> RnnState:
        """Return the state before the first step."""
        memory_BSD, state = self.encoder(self.source_embedding(source_ids), source_keep)
        return self.begin(memory_BSD, state, attend_to_real(source_keep))

    def _start_weights(self) -> None:
        start_recurrent_weights(self)
        for table in (self.source_embedding, self.target_embedding, self.vocabulary):
            nn.init.normal_(table.weight, std=self.settings.width**-0.5)
