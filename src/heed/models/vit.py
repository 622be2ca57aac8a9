"""The Vision Transformer (Dosovitskiy et al. 2021): a picture is cut into patches, and these are read like words.

    picture 224 x 224, patches of 16 x 16      14 x 14 = 196 patches, and [CLS] before them: 197 vectors

Registers (Darcet et al. 2024) are learned vectors between [CLS] and the patches that stand for no place: the model
keeps there what it would otherwise keep in patches that show little.
"""

from collections.abc import Callable, Sequence
from typing import Literal, assert_never, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from heed.errors import SettingsError
from heed.layers.attention import SelfAttention
from heed.layers.blocks import AddAndNorm, EncoderBlock
from heed.layers.dropout import Dropout
from heed.layers.feedforward import build_feedforward
from heed.layers.grid_positions import Grid, grid_sinusoid
from heed.layers.image_embedding import START, ImageEmbedding, Stem
from heed.layers.patches import ConvolutionalStem, OverlappingPatches, PatchEmbedding, ResidualStem, halvings
from heed.layers.positions import Adder, AddLearned, AddNothing, AddTable
from heed.layers.residual import DropPath, LayerScale
from heed.layers.trace import Trace, sites_of
from heed.models.block_settings import (
    UsualChoices,
    build_around,
    build_attend,
    build_last_norm,
    check_block,
    start_weights,
)
from heed.models.presets import named
from heed.models.ranges import check_shares, check_sizes
from heed.settings import settings


@settings
class VitSettings(UsualChoices):
    """The default is a plain ViT that is learnt from some thousand pictures on two cores."""

    kind: Literal["vit"] = "vit"
    image: int = 64  # pixels; pictures are squares of this side
    patch: int = 8  # pixels; side of the squares that a picture is cut into
    width: int = 192  # D, the size of a patch's vector everywhere
    heads: int = 3  # each head has width / heads numbers
    layers: int = 6
    feedforward: int = 384  # inner width
    dropout: float = 0.0  # after embedding and each sublayer, and on the picture's vector
    attention_dropout: float = 0.0  # other than 0 rules out the fused kernel in training
    drop_path: float = 0.1  # share of the pictures that the last block leaves as they are; none at the first block
    pooling: Literal["first", "mean", "both"] = "first"  # [CLS], or without one the mean of the patches, or both
    positions: Literal["learned", "sinusoid", "none"] = "learned"
    # how pixels become the vectors of patches; the last two read them by convolutions, residual ones look closer
    stem: Literal["patches", "overlapping", "convolutional", "residual"] = "patches"
    registers: int = 0  # learned vectors that stand for no place; 4 in the paper
    layer_scale: float | None = None  # where the factors of each sublayer start, such as 1e-5; none: no factors
    activation: Literal["gelu", "gelu-tanh", "relu", "swiglu"] = "gelu"
    epsilon: float = 1e-6  # of the norms; 1e-12 in many published models
    qkv_bias: bool = True  # whether queries, keys and values have a bias

    def __post_init__(self) -> None:
        check_block(self)
        check_sizes({"image": self.image, "patch": self.patch, "layers": self.layers})
        check_shares({"drop_path": self.drop_path})
        _check_cut(self)
        if self.registers < 0:
            raise SettingsError(f"model.registers is {self.registers}. Use 0 or more.")
        if self.layer_scale is not None and not 0 < self.layer_scale <= 1:
            raise SettingsError(f"model.layer_scale is {self.layer_scale}. Use a number above 0 up to 1, or none.")
        if not 0 < self.epsilon < 1:
            raise SettingsError(f"model.epsilon is {self.epsilon}. Use a small number above 0, such as 1e-6.")

    @property
    def grid(self) -> Grid:
        """Return how many rows and columns of patches a picture has."""
        return self.image // self.patch, self.image // self.patch

    @property
    def has_first(self) -> bool:
        """Return whether [CLS] stands before the patches."""
        return self.pooling != "mean"

    @property
    def norm_place(self) -> Literal["before", "after"]:
        """Return where the norm of a sublayer stands."""
        return "before"


def _check_cut(settings: VitSettings) -> None:
    """Refuse a picture that patches do not fill, and patches that the stem cannot make."""
    image, patch = settings.image, settings.patch
    if image % patch:
        below, above = image - image % patch, image - image % patch + patch
        sides = f"{below} or {above}" if below else f"{above}"
        raise SettingsError(
            f"model.image is {image}, model.patch is {patch}: {image % patch} pixels would be left over. "
            f"Use model.image={sides}, or a patch that divides {image}."
        )
    if settings.stem in ("convolutional", "residual") and (patch < 2 or patch != 1 << halvings(patch)):
        raise SettingsError(
            f"model.patch is {patch}, but model.stem={settings.stem} halves the sides again and again. "
            f"Use a patch of 2, 4, 8, 16 or 32, or model.stem=overlapping."
        )


PRESETS = {
    # Convolutions see edges and petals from the first step on; with 36 patches the blocks cost little.
    "vit-hybrid": VitSettings(image=96, patch=16, layers=4, pooling="mean", stem="residual"),
    "vit-tiny": VitSettings(),
    "vit-small": VitSettings(image=224, patch=16, width=384, heads=6, layers=12, feedforward=1536),
    "vit-base": VitSettings(image=224, patch=16, width=768, heads=12, layers=12, feedforward=3072),
}


def preset(name: str) -> VitSettings:
    """Return the settings of a named size."""
    return named(PRESETS, name)


class Vit(nn.Module):
    """Pictures in, one vector each out; `hidden` has a vector for [CLS], for each register and for each patch."""

    def __init__(self, settings: VitSettings) -> None:
        super().__init__()
        self.settings = settings
        self.pooled_width = settings.width * (2 if settings.pooling == "both" else 1)
        self.patches_begin = settings.registers + (1 if settings.has_first else 0)
        self.patch_grid = settings.grid
        self.embedding = _embedding(settings)
        self.dropout = Dropout(settings.dropout)
        blocks = [_block(settings, layer) for layer in range(settings.layers)]
        self.encoder = nn.ModuleList(blocks)
        self.encoder_norm = build_last_norm(settings)
        start_weights(self, settings.width)
        _add_little_at_first(blocks)
        for module in self.modules():
            if isinstance(module, nn.LayerNorm):
                module.eps = settings.epsilon

    def forward(self, images: Tensor, trace: Trace | None = None) -> Tensor:
        """Return (B, pooled_width)."""
        if self.settings.pooling != "first":
            return self.pooled(self.hidden(images, trace))
        x_BTD, keep = self._before_last(images, trace)
        # All that is read of the last block is [CLS]: nothing else need look there.
        last = cast(EncoderBlock, self.encoder[-1])
        return self.pooled(self.encoder_norm(last.first(x_BTD, keep, None, trace)))

    def hidden(self, images: Tensor, trace: Trace | None = None) -> Tensor:
        """Return the last vectors (B, T, D): that of [CLS], of the registers, then of the patches row by row."""
        x_BTD, keep = self._before_last(images, trace)
        return self.encoder_norm(self.encoder[-1](x_BTD, keep, None, trace))

    def pooled(self, states_BTD: Tensor) -> Tensor:
        """Return the vector of each picture (B, pooled_width) from those of its positions."""
        match self.settings.pooling:
            case "first":
                return states_BTD[:, 0]
            case "mean":
                return states_BTD[:, self.patches_begin :].mean(dim=1)
            case "both":
                mean_BD = states_BTD[:, self.patches_begin :].mean(dim=1)
                return torch.cat([states_BTD[:, 0], mean_BD], dim=-1)
            case _:
                assert_never(self.settings.pooling)

    def _before_last(self, images: Tensor, trace: Trace | None) -> tuple[Tensor, Tensor]:
        """Return what the last block reads (B, T, D), and what of it is real: all, for no picture is padded."""
        x_BTD = self.dropout(self.embedding(images))
        keep = torch.ones(x_BTD.shape[:2], dtype=torch.bool, device=x_BTD.device)
        for block in self.encoder[:-1]:
            x_BTD = block(x_BTD, keep, None, trace)
        return x_BTD, keep


class ImageClassifier(nn.Module):
    """Pictures in, `outputs` numbers each out."""

    def __init__(self, settings: VitSettings, outputs: int) -> None:
        super().__init__()
        self.settings = settings
        self.encoder = Vit(settings)
        self.dropout = Dropout(settings.dropout)
        self.head = nn.Linear(self.encoder.pooled_width, outputs)
        nn.init.xavier_uniform_(self.head.weight)
        nn.init.zeros_(self.head.bias)

    def forward(self, images: Tensor, trace: Trace | None = None) -> Tensor:
        """Return (B, outputs)."""
        return self.head(self.dropout(self.encoder(images, trace)))

    @property
    def sites(self) -> list[str]:
        """Return the names under which a trace finds what this model looked at."""
        return sites_of(self.encoder)


def _block(settings: VitSettings, layer: int) -> EncoderBlock:
    rows, columns = settings.grid
    attend = build_attend(settings, f"encoder.{layer}.self", rows * columns)
    attention = SelfAttention(settings.width, settings.heads, attend, projection_bias=settings.qkv_bias)
    # No dropout inside the feed-forward part: published models have none there.
    feedforward = build_feedforward(settings.activation, settings.width, settings.feedforward, dropout=0.0)
    return EncoderBlock(attention, feedforward, _around(settings, layer))


def _add_little_at_first(blocks: Sequence[EncoderBlock]) -> None:
    """Make what the sublayers add together as large as what one would add, so that the patches show through them all.

    Attention is even at first: what it adds is the mean of the picture, the same for each patch.
    """
    for block in blocks:
        for product in (block.attention.output, block.feedforward.narrow):
            nn.init.xavier_uniform_(product.weight, gain=(2 * len(blocks)) ** -0.5)


def _around(settings: VitSettings, layer: int) -> Callable[[], AddAndNorm]:
    # The first block leaves no picture as it is, the last the whole share, those between in even steps.
    share = settings.drop_path * layer / max(1, settings.layers - 1)
    parts: list[Callable[[], nn.Module]] = []
    if (start := settings.layer_scale) is not None:
        parts.append(lambda: LayerScale(settings.width, start))
    if share:
        parts.append(lambda: DropPath(share))
    return build_around(settings, (lambda: nn.Sequential(*(make() for make in parts))) if parts else None)


def _embedding(settings: VitSettings) -> ImageEmbedding:
    stem, positions = _build_stem(settings), _build_positions(settings)
    return ImageEmbedding(
        settings.image, settings.width, stem, positions, first=settings.has_first, registers=settings.registers
    )


def _build_stem(settings: VitSettings) -> Stem:
    match settings.stem:
        case "patches":
            return PatchEmbedding(settings.patch, settings.width)
        case "overlapping":
            return OverlappingPatches(settings.patch, settings.width)
        case "convolutional":
            return ConvolutionalStem(settings.patch, settings.width)
        case "residual":
            return ResidualStem(settings.patch, settings.width)
        case _:
            assert_never(settings.stem)


def _build_positions(settings: VitSettings) -> Adder:
    rows, columns = settings.grid
    before = 1 if settings.has_first else 0
    match settings.positions:
        case "learned":
            learned = AddLearned(before + rows * columns, settings.width)
            nn.init.normal_(learned.table, std=START)
            return learned
        case "sinusoid":
            # [CLS] stands at no place: its row is zero.
            return AddTable(functional.pad(grid_sinusoid(settings.grid, settings.width), (0, 0, before, 0)))
        case "none":
            return AddNothing()
        case _:
            assert_never(settings.positions)
