"""A language model of Transformer blocks that look back alone: the decoder without a source, GPT-2 among its presets.

It reads at most `longest` tokens. Writing goes on beyond them: when they are full, the later half is read again from
its first position, and steps go on from there.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, cast

import torch
from torch import Tensor, nn

from heed.layers.cache import BeamCache, beams_of_sources, reading_cache
from heed.layers.causal_block import CausalBlock
from heed.layers.dropout import Dropout
from heed.layers.feedforward import ActivationName
from heed.layers.masks import attend_to_past
from heed.layers.norms import NormName
from heed.layers.positions import PositionsName, build_adder
from heed.layers.scores import ScoreName
from heed.layers.trace import Trace
from heed.models.block_settings import (
    build_around,
    build_block_feedforward,
    build_last_norm,
    build_self_attention,
    check_block,
    start_weights,
)
from heed.models.ranges import check_longest, check_sizes
from heed.settings import settings

# Of the first embedding (Radford et al. 2018, section 4.1). A larger one, tied to the output, begins sure that tokens
# repeat, at twice the loss of knowing nothing.
SPREAD = 0.02


@settings
class LanguageTransformerSettings:
    """The default learns a megabyte of characters in minutes on two cores."""

    kind: Literal["transformer"] = "transformer"
    width: int = 192  # D, the size of a token's vector everywhere
    heads: int = 6  # each head has width / heads numbers
    layers: int = 4
    feedforward: int = 768  # inner width
    dropout: float = 0.1  # after embedding and each sublayer
    attention_dropout: float = 0.0  # other than 0 rules out the fused kernel in training
    positions: PositionsName = "rotary"  # learns characters much faster than the others: distances are what matters
    score: ScoreName = "scaled"
    norm: NormName = "layer"
    norm_place: Literal["before", "after"] = "before"  # before learns without a long warm-up
    activation: ActivationName = "gelu"
    residual: bool = True
    tie: bool = True  # one table for input and output
    output_bias: bool = True  # a number more for each piece of the vocabulary: how often it comes anyway
    scale_embedding: bool = True  # by the root of the width, so that tokens are as large as their positions
    longest: int = 128  # tokens of a window: how far back the model looks

    def __post_init__(self) -> None:
        check_block(self)
        check_sizes({"layers": self.layers})
        check_longest(self.longest)


PRESETS = {
    "transformer": LanguageTransformerSettings(),
    # Radford et al. 2019: the smallest of the four, whose published weights fit.
    "gpt2": LanguageTransformerSettings(
        width=768,
        heads=12,
        layers=12,
        feedforward=3072,
        positions="learned",
        activation="gelu-tanh",
        output_bias=False,
        scale_embedding=False,
        longest=1024,
    ),
}


@dataclass(frozen=True)
class LanguageTransformerState:
    """Where writing stands: one past for each beam, as keys and values and as ids."""

    cache: BeamCache
    ids_BWT: Tensor  # what is in the cache, to be read again when the positions are full
    first_B1V: Tensor | None  # the logits after the prompt, until the first step has handed them over


class LanguageTransformer(nn.Module):
    """Tokens in, logits over what comes next out."""

    def __init__(self, settings: LanguageTransformerSettings, vocabulary_size: int) -> None:
        super().__init__()
        self.settings = settings
        width, longest = settings.width, settings.longest
        self.embedding = nn.Embedding(vocabulary_size, width)
        self.positions = build_adder(settings.positions, longest, width)
        self.dropout = Dropout(settings.dropout)
        self.decoder = nn.ModuleList(_block(settings, layer) for layer in range(settings.layers))
        self.decoder_norm = build_last_norm(settings)
        self.vocabulary = nn.Linear(width, vocabulary_size, bias=settings.output_bias)
        start_weights(self, width)
        nn.init.normal_(self.embedding.weight, std=SPREAD)
        if settings.tie:
            self.vocabulary.weight = self.embedding.weight

    def forward(self, token_ids: Tensor, keep: Tensor | None = None, trace: Trace | None = None) -> Tensor:
        """Return logits (B, T, V): at each position, what comes after the text so far."""
        return self.vocabulary(self.hidden(token_ids, keep, trace))

    def hidden(self, token_ids: Tensor, keep: Tensor | None = None, trace: Trace | None = None) -> Tensor:
        """Return the last vectors (B, T, D): a loss needs the logits of real tokens only."""
        x_BTD = self.dropout(self.positions(self._embed(token_ids)))
        # A mask, made once: the kernel's own way to look back alone takes as long on a CPU.
        past = attend_to_past(token_ids.shape[1], token_ids.device)
        for block in self.decoder:
            x_BTD = block(x_BTD, keep, past, trace)
        return self.decoder_norm(x_BTD, keep)

    def start(self, prompt_ids: Tensor) -> LanguageTransformerState:
        """Return the state after prompts of one length, of which the last `longest` tokens are read.

        The first step gives what follows them, whatever its ids.
        """
        read_ids = prompt_ids[:, -self.settings.longest :]
        last_B1D, cache = self._read(read_ids)
        return LanguageTransformerState(cache, read_ids[:, None], first_B1V=self.vocabulary(last_B1D))

    def step(self, last_ids_BW: Tensor, state: LanguageTransformerState) -> tuple[Tensor, LanguageTransformerState]:
        """Return logits (B, W, V) for what follows each beam's last token, and the state after it."""
        if state.first_B1V is not None:
            return state.first_B1V, replace(state, first_B1V=None)
        ids_BWT = torch.cat([state.ids_BWT, last_ids_BW[..., None]], dim=2)
        if ids_BWT.shape[2] > self.settings.longest:
            return self._slide(ids_BWT[:, :, -(self.settings.longest // 2) :])
        cache = state.cache.open_slots(last_ids_BW.shape[1])
        x_BWD = self._embed(last_ids_BW)
        # All beams stand at the same position, so they are given it one by one as if each were a sequence of one.
        rows_R1D = x_BWD.view(last_ids_BW.numel(), 1, self.settings.width)
        x_BWD = self.positions(rows_R1D, first=cache.position).view_as(x_BWD)
        for layer, block in enumerate(self._blocks()):
            x_BWD = block.step(x_BWD, cache, layer)
        return self.vocabulary(self.decoder_norm(x_BWD)), LanguageTransformerState(cache, ids_BWT, None)

    def reorder(self, state: LanguageTransformerState, sources: Tensor, beams: Tensor) -> LanguageTransformerState:
        """Keep the named sources; let new beam w of each continue its old beam `beams[b, w]`."""
        ids_BWT = state.ids_BWT[sources[:, None], beams]
        return LanguageTransformerState(state.cache.reorder(sources, beams), ids_BWT, None)

    def _slide(self, ids_BWT: Tensor) -> tuple[Tensor, LanguageTransformerState]:
        """Read the ids from the first position on, as if nothing had stood before them."""
        sources, beams, _ = ids_BWT.shape
        last_R1D, cache = self._read(ids_BWT.flatten(0, 1))
        logits_BWV = self.vocabulary(last_R1D).view(sources, beams, -1)
        return logits_BWV, LanguageTransformerState(beams_of_sources(cache, beams), ids_BWT, None)

    def _read(self, token_ids: Tensor) -> tuple[Tensor, BeamCache]:
        """Return the last position's vector (B, 1, D), and the keys and values of all."""
        rows, positions = token_ids.shape
        cache = reading_cache(rows, positions, token_ids.device)
        past = attend_to_past(positions, token_ids.device)
        x_BTD = self.positions(self._embed(token_ids))
        for layer, block in enumerate(self._blocks()):
            x_BTD = block.read(x_BTD, past, cache, layer)
        return self.decoder_norm(x_BTD[:, -1:]), cache

    def _blocks(self) -> Iterable[CausalBlock]:
        # nn.ModuleList does not know the type of what it holds.
        return cast(Iterable[CausalBlock], self.decoder)

    def _embed(self, token_ids: Tensor) -> Tensor:
        x_BTD = self.embedding(token_ids)
        return x_BTD * math.sqrt(self.settings.width) if self.settings.scale_embedding else x_BTD


def _block(settings: LanguageTransformerSettings, layer: int) -> CausalBlock:
    attention = build_self_attention(settings, f"decoder.{layer}.self", settings.longest)
    return CausalBlock(attention, build_block_feedforward(settings), build_around(settings))
