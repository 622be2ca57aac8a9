"""A text's vector from a Transformer encoder: attention both ways over all words, every choice of the decks a part."""

import math
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional

from heed.layers.dropout import Dropout
from heed.layers.feedforward import ActivationName
from heed.layers.masks import attend_to_real
from heed.layers.norms import NormName
from heed.layers.pooling import FirstPooling, build_pooling
from heed.layers.positions import PositionsName, build_adder
from heed.layers.scores import ScoreName
from heed.layers.trace import Trace
from heed.models.block_settings import build_encoder_block, build_last_norm, check_block, start_weights
from heed.models.ranges import check_shares, check_sizes
from heed.models.text_input import TextInput, refuse_longer, refuse_segments
from heed.settings import settings


@settings
class EncoderSettings:
    """The default suits some ten thousand texts on two cores; more layers want more texts."""

    kind: Literal["transformer"] = "transformer"
    width: int = 128  # D, the size of a token's vector everywhere
    heads: int = 4  # each head has width / heads numbers
    layers: int = 2
    feedforward: int = 256  # inner width
    dropout: float = 0.3  # after embedding and each sublayer, and on the text's vector
    attention_dropout: float = 0.0  # other than 0 rules out the fused kernel in training
    positions: PositionsName = "rotary"  # deck 1 adds a sinusoid: 0.3 points less on NTC-SCV
    score: ScoreName = "scaled"  # of the blocks, and of pooling=attention
    norm: NormName = "layer"
    norm_place: Literal["before", "after"] = "before"  # before learns without a long warm-up
    activation: ActivationName = "relu"
    residual: bool = True
    pooling: Literal["mean", "max", "first", "attention"] = "mean"  # first: a learnt [CLS] stands before each text
    segments: Literal[0, 2] = 0  # 2: a vector more for each text of a joined pair, so that they are told apart
    word_dropout: float = 0.3  # share of the tokens made unknown in training
    longest: int = 512  # tokens, [CLS] not counted; longer texts are cut, and the cut is counted

    def __post_init__(self) -> None:
        check_block(self)
        check_sizes({"layers": self.layers, "longest": self.longest})
        check_shares({"word_dropout": self.word_dropout})


class Encoder(nn.Module):
    """Texts in, one vector each out; `hidden` has a vector for each token."""

    def __init__(self, settings: EncoderSettings, vocabulary_size: int) -> None:
        super().__init__()
        self.settings = settings
        self.pooled_width = width = settings.width
        self.embedding = nn.Embedding(vocabulary_size, width)
        self.segment_embedding = nn.Embedding(settings.segments, width) if settings.segments else None
        self.first_D = nn.Parameter(torch.empty(width)) if settings.pooling == "first" else None
        places = settings.longest if self.first_D is None else settings.longest + 1
        self.positions = build_adder(settings.positions, places, width)
        self.dropout = Dropout(settings.dropout)
        self.encoder = nn.ModuleList(build_encoder_block(settings, layer, places) for layer in range(settings.layers))
        self.encoder_norm = build_last_norm(settings)
        self.pooling = (
            FirstPooling()
            if settings.pooling == "first"
            else build_pooling(settings.pooling, width, settings.score, places)
        )
        start_weights(self, width)
        if self.first_D is not None:
            nn.init.normal_(self.first_D, std=width**-0.5)

    def forward(self, text: TextInput, trace: Trace | None = None) -> Tensor:
        """Return (B, D)."""
        keep = self._keep(text)
        return self.pooling(self._states(text, keep, trace), keep, trace)

    def hidden(self, text: TextInput, trace: Trace | None = None) -> Tensor:
        """Return the last vectors (B, T, D), one for each token; that of a [CLS] before them is left out."""
        states_BTD = self._states(text, self._keep(text), trace)
        return states_BTD if self.first_D is None else states_BTD[:, 1:]

    def _states(self, text: TextInput, keep: Tensor, trace: Trace | None) -> Tensor:
        refuse_longer(text, self.settings.longest)
        x_BTD = self.dropout(self.positions(self._embed(text)))
        may_attend = attend_to_real(keep)
        for block in self.encoder:
            x_BTD = block(x_BTD, keep, may_attend, trace)
        return self.encoder_norm(x_BTD, keep)

    def _keep(self, text: TextInput) -> Tensor:
        return text.keep if self.first_D is None else functional.pad(text.keep, (1, 0), value=True)

    def _embed(self, text: TextInput) -> Tensor:
        x_BTD = self.embedding(text.token_ids)
        if self.segment_embedding is None:
            refuse_segments(text, "transformer")
        else:
            segments = torch.zeros_like(text.token_ids) if text.segments is None else text.segments
            x_BTD = x_BTD + self.segment_embedding(segments)
        if self.first_D is not None:
            x_BTD = torch.cat([self.first_D.expand(len(x_BTD), 1, -1), x_BTD], dim=1)
        # Tables start small, as in the other models; the scale makes them as large as the positions.
        return x_BTD * math.sqrt(self.settings.width)
