"""The encoder-decoder Transformer of the decks (Vaswani et al. 2017), every choice of the decks a choice of parts."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, cast

from torch import Tensor, nn

from heed.errors import SettingsError
from heed.layers.attention import CrossAttention
from heed.layers.blocks import DecoderBlock
from heed.layers.cache import BeamCache, empty_cache
from heed.layers.dropout import Dropout
from heed.layers.feedforward import ActivationName
from heed.layers.masks import attend_to_real
from heed.layers.norms import NormName
from heed.layers.positions import PositionsName, build_adder
from heed.layers.scores import ScoreName
from heed.layers.trace import Trace
from heed.models.block_settings import (
    build_around,
    build_attend,
    build_block_feedforward,
    build_encoder_block,
    build_last_norm,
    build_self_attention,
    check_block,
    start_weights,
)
from heed.models.ranges import check_longest, check_sizes
from heed.settings import settings


@settings
class TransformerSettings:
    """The default trains in minutes on two cores; `base` is the paper's."""

    kind: Literal["transformer"] = "transformer"
    width: int = 256  # D, the size of a token's vector everywhere
    heads: int = 4  # each head has width / heads numbers
    encoder_layers: int = 3
    decoder_layers: int = 3
    feedforward: int = 1024  # inner width; the paper's four times the width
    dropout: float = 0.1  # after embedding and each sublayer
    attention_dropout: float = 0.0  # other than 0 rules out the fused kernel in training
    positions: PositionsName = "sinusoid"
    score: ScoreName = "scaled"
    norm: NormName = "layer"
    norm_place: Literal["before", "after"] = "before"  # before learns without a long warm-up; the paper has after
    activation: ActivationName = "relu"
    residual: bool = True
    tie: Literal["all", "output", "none"] = "all"  # which of source, target and output tables are one
    longest: int = 256  # positions that exist; longer texts are cut, and the cut is counted

    def __post_init__(self) -> None:
        check_block(self)
        check_sizes({"encoder_layers": self.encoder_layers, "decoder_layers": self.decoder_layers})
        check_longest(self.longest)


PRESETS = {
    "transformer": TransformerSettings(),
    "transformer-tiny": TransformerSettings(
        width=128, heads=4, encoder_layers=4, decoder_layers=4, feedforward=256, dropout=0.3
    ),
    "transformer-small": TransformerSettings(width=256, heads=4, encoder_layers=3, decoder_layers=3, feedforward=1024),
    "transformer-base": TransformerSettings(
        width=512, heads=8, encoder_layers=6, decoder_layers=6, feedforward=2048, norm_place="after"
    ),
}


@dataclass(frozen=True)
class TransformerState:
    """Where decoding stands: one memory for each source, one past for each beam."""

    memory: list[tuple[Tensor, Tensor]]  # for each layer keys and values (B, H, S, K)
    source_mask: Tensor | None
    cache: BeamCache


class Transformer(nn.Module):
    """Source tokens in, logits over the target vocabulary out."""

    def __init__(self, settings: TransformerSettings, source_size: int, target_size: int) -> None:
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
        self.source_positions = build_adder(settings.positions, settings.longest, settings.width)
        self.target_positions = build_adder(settings.positions, settings.longest, settings.width)
        self.dropout = Dropout(settings.dropout)
        self.encoder = nn.ModuleList(
            build_encoder_block(settings, layer, settings.longest) for layer in range(settings.encoder_layers)
        )
        self.decoder = nn.ModuleList(_decoder_block(settings, layer) for layer in range(settings.decoder_layers))
        self.encoder_norm = build_last_norm(settings)
        self.decoder_norm = build_last_norm(settings)
        self.vocabulary = nn.Linear(settings.width, target_size)
        start_weights(self, settings.width)
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
        memory_BSD = self.encode(source_ids, source_keep, trace)
        source_mask = attend_to_real(source_keep)
        x_BTD = self._embed(self.target_embedding, target_ids)
        x_BTD = self.dropout(self.target_positions(x_BTD))
        for block in self._decoder_blocks():
            x_BTD = block(x_BTD, target_keep, block.cross.keys_and_values(memory_BSD), source_mask, trace)
        return self.decoder_norm(x_BTD, target_keep)

    def encode(self, source_ids: Tensor, source_keep: Tensor, trace: Trace | None = None) -> Tensor:
        """Return the memory (B, S, D)."""
        source_mask = attend_to_real(source_keep)
        x_BSD = self.dropout(self.source_positions(self._embed(self.source_embedding, source_ids)))
        for block in self.encoder:
            x_BSD = block(x_BSD, source_keep, source_mask, trace)
        return self.encoder_norm(x_BSD, source_keep)

    def start(self, source_ids: Tensor, source_keep: Tensor) -> TransformerState:
        """Return the state before the first step: the memory is read once, its keys and values are kept."""
        memory_BSD = self.encode(source_ids, source_keep)
        memory = [block.cross.keys_and_values(memory_BSD) for block in self._decoder_blocks()]
        return TransformerState(memory, attend_to_real(source_keep), empty_cache(len(source_ids), source_ids.device))

    def step(self, last_ids_BW: Tensor, state: TransformerState) -> tuple[Tensor, TransformerState]:
        """Return logits (B, W, V) for what follows each beam's last token, and the state after it."""
        cache = state.cache.open_slots(last_ids_BW.shape[1])
        x_BWD = self._embed(self.target_embedding, last_ids_BW)
        # All beams stand at the same position, so they are given it one by one as if each were a sequence of one.
        rows_R1D = x_BWD.view(last_ids_BW.numel(), 1, self.settings.width)
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
        return embedding(token_ids) * math.sqrt(self.settings.width)


def _decoder_block(settings: TransformerSettings, layer: int) -> DecoderBlock:
    places = settings.longest
    cross = CrossAttention(settings.width, settings.heads, build_attend(settings, f"decoder.{layer}.cross", places))
    self_attention = build_self_attention(settings, f"decoder.{layer}.self", places)
    return DecoderBlock(self_attention, cross, build_block_feedforward(settings), build_around(settings))
