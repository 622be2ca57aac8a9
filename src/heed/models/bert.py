"""BERT (Devlin et al. 2019): a Transformer encoder that reads both ways, first taught to find hidden words.

Texts stand between the tokens of start and end ([CLS] a [SEP], or [CLS] a [SEP] b [SEP] with segments 0 and 1).
RoBERTa (Liu et al. 2019) and DistilBERT (Sanh et al. 2019) are the same network with fewer segments and another head.
"""

from typing import Literal, assert_never, cast

import torch
from torch import Tensor, nn

from heed.errors import SettingsError
from heed.layers.blocks import EncoderBlock
from heed.layers.dropout import Dropout
from heed.layers.feedforward import build_feedforward
from heed.layers.masks import attend_to_real
from heed.layers.norms import build_norm
from heed.layers.pooling import FirstPooling, MaxPooling, MeanPooling
from heed.layers.positions import AddLearned, PositionsName
from heed.layers.trace import Trace
from heed.models.block_settings import UsualChoices, build_around, build_self_attention, check_block
from heed.models.presets import named
from heed.models.ranges import check_shares, check_sizes
from heed.models.text_input import TextInput, refuse_longer, refuse_segments
from heed.settings import settings

START = 0.02  # spread of all first weights (Devlin et al. 2019, as published with the code)


@settings
class BertSettings(UsualChoices):
    """The choices of the paper are fixed; sizes are free. The default is learnt from megabytes of text on two cores."""

    kind: Literal["bert"] = "bert"
    width: int = 256  # D; H in the paper
    heads: int = 4  # A in the paper; each has width / heads numbers
    layers: int = 4  # L in the paper
    feedforward: int = 1024  # inner width
    dropout: float = 0.1
    attention_dropout: float = 0.0  # 0.1 in the paper; other than 0 rules out the fused kernel in training
    segments: Literal[0, 1, 2] = 2  # kinds of segments: two in BERT, one in RoBERTa, none in DistilBERT
    activation: Literal["gelu", "gelu-tanh", "relu"] = "gelu"
    epsilon: float = 1e-12  # of the norms; 1e-5 in RoBERTa
    pooling: Literal["first", "mean", "max"] = "first"  # what becomes the vector of a whole text
    pooler: Literal["tanh", "relu", "none"] = "tanh"  # a layer over that vector
    word_dropout: float = 0.0  # share of the tokens made unknown when labels are learnt
    longest: int = 512  # tokens, start and end counted; longer texts are cut, and the cut is counted

    def __post_init__(self) -> None:
        check_block(self)
        check_sizes({"layers": self.layers, "longest": self.longest})
        check_shares({"word_dropout": self.word_dropout})
        if not 0 < self.epsilon < 1:
            raise SettingsError(f"model.epsilon is {self.epsilon}. Use a small number above 0, such as 1e-12.")

    @property
    def positions(self) -> PositionsName:
        """Return how order is told."""
        return "learned"

    @property
    def norm_place(self) -> Literal["before", "after"]:
        """Return where the norm of a sublayer stands."""
        return "after"


def _sized(layers: int, width: int, heads: int) -> BertSettings:
    return BertSettings(layers=layers, width=width, heads=heads, feedforward=4 * width)


PRESETS = {
    "bert-tiny": _sized(2, 128, 2),
    "bert-mini": _sized(4, 256, 4),
    "bert-small": _sized(4, 512, 8),
    "bert-medium": _sized(8, 512, 8),
    "bert-base": _sized(12, 768, 12),
    "bert-large": _sized(24, 1024, 16),
}


def preset(name: str) -> BertSettings:
    """Return the settings of a named size."""
    return named(PRESETS, name)


class Bert(nn.Module):
    """Texts in, one vector each out; `hidden` has a vector for each token."""

    def __init__(self, settings: BertSettings, vocabulary_size: int) -> None:
        super().__init__()
        self.settings = settings
        self.pooled_width = width = settings.width
        self.embedding = nn.Embedding(vocabulary_size, width)
        self.positions = AddLearned(settings.longest, width)
        self.segment_embedding = nn.Embedding(settings.segments, width) if settings.segments else None
        self.embedding_norm = build_norm(settings.norm, width)
        self.dropout = Dropout(settings.dropout)
        self.encoder = nn.ModuleList(_block(settings, layer) for layer in range(settings.layers))
        self.pooling = _build_pooling(settings.pooling)
        self.pooler = None if settings.pooler == "none" else nn.Linear(width, width)
        start_bert(self, settings.epsilon)

    def forward(self, text: TextInput, trace: Trace | None = None) -> Tensor:
        """Return (B, D)."""
        if self.settings.pooling != "first":
            return self.pooled(self.hidden(text, trace), text.keep)
        x_BTD, may_attend = self._before_last(text, trace)
        # All that is read of the last block is [CLS]: nothing else need look there.
        last = cast(EncoderBlock, self.encoder[-1])
        return self.pooled(last.first(x_BTD, text.keep, may_attend, trace), text.keep[:, :1])

    def hidden(self, text: TextInput, trace: Trace | None = None) -> Tensor:
        """Return the last vectors (B, T, D), one for each token."""
        x_BTD, may_attend = self._before_last(text, trace)
        return self.encoder[-1](x_BTD, text.keep, may_attend, trace)

    def pooled(self, states_BTD: Tensor, keep: Tensor) -> Tensor:
        """Return the vector of each text (B, D) from those of its tokens."""
        pooled_BD = self.pooling(states_BTD, keep)
        if self.pooler is None:
            return pooled_BD
        pooled_BD = self.pooler(pooled_BD)
        return pooled_BD.tanh() if self.settings.pooler == "tanh" else pooled_BD.relu()

    def _before_last(self, text: TextInput, trace: Trace | None) -> tuple[Tensor, Tensor | None]:
        """Return what the last block reads (B, T, D), and who may look at whom."""
        refuse_longer(text, self.settings.longest)
        x_BTD = self.dropout(self.embedding_norm(self._embed(text)))
        may_attend = attend_to_real(text.keep)
        for block in self.encoder[:-1]:
            x_BTD = block(x_BTD, text.keep, may_attend, trace)
        return x_BTD, may_attend

    def _embed(self, text: TextInput) -> Tensor:
        x_BTD = self.positions(self.embedding(text.token_ids))
        if self.segment_embedding is None or self.settings.segments == 1:
            if text.segments is not None and bool(text.segments.any()):
                refuse_segments(text, "bert")
            return x_BTD if self.segment_embedding is None else x_BTD + self.segment_embedding.weight[0]
        segments = torch.zeros_like(text.token_ids) if text.segments is None else text.segments
        return x_BTD + self.segment_embedding(segments)


def start_bert(model: nn.Module, epsilon: float) -> None:
    """Give a BERT, or a head of one, its first weights, and its norms their epsilon."""
    for module in model.modules():
        if isinstance(module, nn.Linear):
            nn.init.normal_(module.weight, std=START)
            nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            nn.init.normal_(module.weight, std=START)
        elif isinstance(module, AddLearned):
            nn.init.normal_(module.table, std=START)
        elif isinstance(module, nn.LayerNorm):
            module.eps = epsilon


def _block(settings: BertSettings, layer: int) -> EncoderBlock:
    attention = build_self_attention(settings, f"encoder.{layer}.self", settings.longest)
    # No dropout inside the feed-forward part: BERT has none there.
    feedforward = build_feedforward(settings.activation, settings.width, settings.feedforward, dropout=0.0)
    return EncoderBlock(attention, feedforward, build_around(settings))


def _build_pooling(name: Literal["first", "mean", "max"]) -> FirstPooling | MeanPooling | MaxPooling:
    match name:
        case "first":
            return FirstPooling()
        case "mean":
            return MeanPooling()
        case "max":
            return MaxPooling()
        case _:
            assert_never(name)
