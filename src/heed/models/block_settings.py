"""What all models of Transformer blocks have in common: the settings of a block, their checks, and the parts they name.

A model's own settings class has these fields among others; it need not inherit to be a `BlockSettings`.
"""

from collections.abc import Callable
from typing import Literal, Protocol

from torch import nn

from heed.errors import SettingsError
from heed.layers.attention import Attend, SelfAttention
from heed.layers.blocks import AddAndNorm, EncoderBlock
from heed.layers.feedforward import ActivationName, FeedForward, GatedFeedForward, build_feedforward
from heed.layers.norms import Norm, NormName, build_norm
from heed.layers.positions import PositionsName, build_rotary
from heed.layers.scores import ScoreName, build_score
from heed.models.ranges import check_shares, check_sizes


class BlockSettings(Protocol):
    """The choices that make a block."""

    @property
    def width(self) -> int:
        """D, the size of a token's vector everywhere."""

    @property
    def heads(self) -> int:
        """H; each head has width / heads numbers."""

    @property
    def feedforward(self) -> int:
        """F, the inner width."""

    @property
    def dropout(self) -> float:
        """After embedding and each sublayer."""

    @property
    def attention_dropout(self) -> float:
        """On the weights of attention."""

    @property
    def positions(self) -> PositionsName:
        """How order is told."""

    @property
    def score(self) -> ScoreName:
        """How well a query fits a key."""

    @property
    def norm(self) -> NormName:
        """What each sublayer is normalised by."""

    @property
    def norm_place(self) -> Literal["before", "after"]:
        """Where the norm of a sublayer stands."""

    @property
    def activation(self) -> ActivationName:
        """What stands inside the feed-forward part."""

    @property
    def residual(self) -> bool:
        """Whether a sublayer's input is added to its output."""


class UsualChoices:
    """Of what a block can be given, what is one and the same in every BERT and ViT."""

    @property
    def score(self) -> ScoreName:
        """Return how well a query fits a key."""
        return "scaled"

    @property
    def norm(self) -> NormName:
        """Return what each sublayer is normalised by."""
        return "layer"

    @property
    def residual(self) -> bool:
        """Return whether a sublayer's input is added to its output."""
        return True


def check_block(settings: BlockSettings) -> None:
    """Refuse sizes and shares from which no block can be built."""
    check_sizes({"width": settings.width, "heads": settings.heads, "feedforward": settings.feedforward})
    check_shares({"dropout": settings.dropout, "attention_dropout": settings.attention_dropout})
    if settings.width % settings.heads:
        raise SettingsError(
            f"model.width is {settings.width}, model.heads is {settings.heads}. Make the width a multiple of the heads."
        )
    if settings.positions == "rotary" and (settings.width // settings.heads) % 2:
        raise SettingsError(
            f"model.positions=rotary turns pairs of numbers, but a head has {settings.width // settings.heads} "
            f"({settings.width} / {settings.heads}), which is odd. Use another width or number of heads."
        )


def build_encoder_block(settings: BlockSettings, layer: int, places: int) -> EncoderBlock:
    """Return the block of one layer of an encoder that reads up to `places` positions."""
    attention = build_self_attention(settings, f"encoder.{layer}.self", places)
    return EncoderBlock(attention, build_block_feedforward(settings), build_around(settings))


def build_self_attention(settings: BlockSettings, site: str, places: int) -> SelfAttention:
    """Return self-attention over up to `places` positions."""
    rotary = build_rotary(settings.positions, places, settings.width // settings.heads)
    return SelfAttention(settings.width, settings.heads, build_attend(settings, site, places), rotary)


def build_attend(settings: BlockSettings, site: str, places: int) -> Attend:
    """Return the part that all attentions share, for up to `places` keys."""
    score = build_score(settings.score, settings.heads, settings.width // settings.heads, places)
    return Attend(score, site, settings.attention_dropout)


def build_block_feedforward(settings: BlockSettings) -> FeedForward | GatedFeedForward:
    """Return the feed-forward part of a block."""
    return build_feedforward(settings.activation, settings.width, settings.feedforward, settings.dropout)


def build_around(settings: BlockSettings, between: Callable[[], nn.Module] | None = None) -> Callable[[], AddAndNorm]:
    """Return a maker of what stands around each sublayer of a block, and of what comes between it and the sum."""

    def make() -> AddAndNorm:
        norm = build_norm(settings.norm, settings.width)
        part = None if between is None else between()
        return AddAndNorm(norm, settings.norm_place == "before", settings.residual, settings.dropout, part)

    return make


def build_last_norm(settings: BlockSettings) -> Norm:
    """Return what stands after the last block.

    With the norm before each sublayer, nothing has normalised the sum that leaves the last block.
    """
    return build_norm(settings.norm if settings.norm_place == "before" else "none", settings.width)


def start_weights(model: nn.Module, width: int) -> None:
    """Give a model of blocks its first weights: tables small, products that keep the size of what they are given."""
    for module in model.modules():
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            nn.init.normal_(module.weight, std=width**-0.5)
