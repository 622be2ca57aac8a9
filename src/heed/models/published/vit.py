"""ViT and DINOv2 as `transformers` names them: one network; DINOv2 has layer scale, and registers or none.

Google's ViT (Dosovitskiy et al. 2021) gives [CLS] to the head; DINOv2 (Oquab et al. 2024) gives it [CLS] and the mean
of the patches side by side.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import torch
from torch import Tensor

from heed.errors import RunError
from heed.layers.grid_positions import Grid, interpolated
from heed.layers.patches import CHANNELS
from heed.models.published.bert import ACTIVATIONS
from heed.models.published.config import Config
from heed.models.published.image_processor import (
    HALVES,
    IMAGENET_MEAN,
    IMAGENET_STD,
    Preprocessing,
    read_preprocessing,
)
from heed.models.published.parts import Part, gather, layer, listed
from heed.models.vit import Vit, VitSettings
from heed.models.weights import weights_of

VitFamily = Literal["vit", "dinov2", "dinov2_with_registers"]
FAMILIES: tuple[VitFamily, ...] = ("vit", "dinov2", "dinov2_with_registers")
VitHead = Literal["none", "classes"]
HEADS: dict[str, VitHead] = {"Model": "none", "ForImageClassification": "classes"}
CLASSES: dict[VitFamily, str] = {
    "vit": "ViT",
    "dinov2": "Dinov2",
    "dinov2_with_registers": "Dinov2WithRegisters",
}
POSITIONS = "embedding.positions.table"
FIRST = "embedding.first_D"
REGISTERS = "embedding.registers_RD"
PATCHES = "embedding.patches.project.weight"
LARGEST_SIDE = 10_000  # pixels, of a picture or a patch
DINO_SIDE = 224  # pixels; DINOv2 was published with 518 and is used with 224


@dataclass(frozen=True)
class PublishedVit:
    """A ViT of another library: settings, weights by our names, and how its pictures were made numbers."""

    family: VitFamily
    head: VitHead
    settings: VitSettings
    trunk: Mapping[str, Tensor]  # as in `models.vit.Vit`
    last: Mapping[str, Tensor]  # last.weight and last.bias of the labels; may be empty
    labels: tuple[str, ...]
    preprocessing: Preprocessing
    notes: tuple[str, ...] = ()


def read_vit(config: Config, tensors: Mapping[str, Tensor], processor: Config | None, origin: str) -> PublishedVit:
    """Return the model; refuse weights that are missing, not known or do not fit."""
    config = config.given()
    family = config.family(FAMILIES)
    head = config.head(CLASSES[family], HEADS)
    prefix = f"{family}." if any(name.startswith(f"{family}.") for name in tensors) else ""
    settings = _settings(family, config)
    trunk_list, last_list = list(trunk_parts(family, settings, prefix)), list(last_parts(head))
    ignored = [f"{prefix}{name}" for name in ("embeddings.mask_token", "pooler.dense.weight", "pooler.dense.bias")]
    plain = {name: unwrapped(name, tensor) for name, tensor in tensors.items()}
    found = gather([*trunk_list, *last_list], plain, ignored, origin)
    trunk = fitting({part.ours: found[part.ours] for part in trunk_list}, settings, origin)
    labels = config.labels() if head == "classes" else ()
    preprocessing, notes = _preprocessing(family, settings, processor)
    if f"{prefix}pooler.dense.weight" in tensors:
        notes = (*notes, "the layer over [CLS] that no classifier uses (pooler) is left out")
    last = {part.ours: found[part.ours] for part in last_list}
    _check_last(last, settings, labels, origin)
    return PublishedVit(family, head, settings, trunk, last, labels, preprocessing, notes)


def resized(vit: PublishedVit, side: int) -> PublishedVit:
    """Return the model for pictures of another side: its positions are read on the other grid."""
    settings = replace(vit.settings, image=side)
    table = on_grid(vit.trunk[POSITIONS], vit.settings, settings.grid)
    preprocessing = replace(vit.preprocessing, side=side)
    return replace(vit, settings=settings, trunk={**vit.trunk, POSITIONS: table}, preprocessing=preprocessing)


def on_grid(table_TD: Tensor, settings: VitSettings, grid: Grid) -> Tensor:
    """Return the positions of a model with these settings as they are on another grid."""
    # As published: DINOv2 with registers smooths the table when the grid shrinks, the others do not.
    return interpolated(table_TD, settings.grid, grid, antialias=settings.registers > 0)


def trunk_parts(family: VitFamily, settings: VitSettings, prefix: str) -> Iterator[Part]:
    """Yield the parts of the encoder."""
    base = f"{prefix}embeddings"
    yield Part(FIRST, (f"{base}.cls_token",))
    yield Part(POSITIONS, (f"{base}.position_embeddings",))
    if family == "dinov2_with_registers":
        yield Part(REGISTERS, (f"{base}.register_tokens",))
    yield from layer("embedding.patches.project", f"{base}.patch_embeddings.projection")
    for number in range(settings.layers):
        yield from _block_parts(family, settings, number, prefix)
    yield from layer("encoder_norm.norm", f"{prefix}layernorm")


def last_parts(head: VitHead) -> Iterator[Part]:
    """Yield the parts of the last layer."""
    if head == "classes":
        yield from layer("last", "classifier")


def unwrapped(name: str, tensor: Tensor) -> Tensor:
    """Return a tensor of theirs in the shape of ours: without axes of length one, the pixels of a patch in one row."""
    if name.endswith("cls_token"):
        return tensor.flatten()
    if name.endswith(("position_embeddings", "pos_embed", "register_tokens")) and tensor.dim() == 3:
        return tensor.flatten(0, 1)
    if name.endswith(("patch_embeddings.projection.weight", "patch_embed.proj.weight")) and tensor.dim() == 4:
        return tensor.flatten(1)
    return tensor


def fitting(trunk: Mapping[str, Tensor], settings: VitSettings, origin: str) -> Mapping[str, Tensor]:
    """Return the weights if they fit a model of these settings; refuse with every shape that does not."""
    with torch.device("meta"):
        own = weights_of(Vit(settings))
    wrong = [
        f"{name} is {tuple(trunk[name].shape)}, not {tuple(tensor.shape)}"
        for name, tensor in own.items()
        if trunk[name].shape != tensor.shape
    ]
    if wrong:
        raise RunError(
            f"The weights of {origin} do not fit the model that it describes: {listed(wrong)}. "
            f"Get all files from one place."
        )
    return trunk


def _check_last(last: Mapping[str, Tensor], settings: VitSettings, labels: tuple[str, ...], origin: str) -> None:
    width = settings.width * (2 if settings.pooling == "both" else 1)
    expected = {"last.weight": (len(labels), width), "last.bias": (len(labels),)}
    wrong = [
        f"classifier{name.removeprefix('last')} is {tuple(tensor.shape)}, not {expected[name]}"
        for name, tensor in last.items()
        if tensor.shape != expected[name]
    ]
    if wrong:
        raise RunError(
            f"The weights of {origin} do not fit the {len(labels):,} labels of its config.json: {listed(wrong)}. "
            f"Get both files from one place."
        )


def usual_preprocessing(family: VitFamily, side: int) -> Preprocessing:
    """Return how the family's pictures are made numbers where no file says it."""
    if family == "vit":
        return Preprocessing(side, HALVES, HALVES, "squash")
    return Preprocessing(DINO_SIDE, IMAGENET_MEAN, IMAGENET_STD, "crop")


def _preprocessing(
    family: VitFamily, settings: VitSettings, processor: Config | None
) -> tuple[Preprocessing, tuple[str, ...]]:
    usual = usual_preprocessing(family, settings.image)
    if processor is not None:
        return read_preprocessing(processor, usual)
    means = "0.5" if family == "vit" else "those of ImageNet"
    return usual, (f"it has no preprocessor_config.json: mean and std are taken to be {means}",)


def _settings(family: VitFamily, config: Config) -> VitSettings:
    if config.size("num_channels", default=CHANNELS) != CHANNELS:
        raise RunError(
            f"{config.origin}: num_channels is {config.values['num_channels']}; coloured pictures (3) are read."
        )
    if config.truth("use_swiglu_ffn", False):
        raise RunError(
            f"{config.origin}: use_swiglu_ffn is true; models whose blocks have a plain inner layer are read."
        )
    width = config.size("hidden_size")
    return VitSettings(
        image=_side(config, "image_size", 224),
        patch=_side(config, "patch_size", 14 if family == "dinov2" else 16),
        width=width,
        heads=config.size("num_attention_heads"),
        layers=config.layers("num_hidden_layers"),
        feedforward=config.size("intermediate_size")
        if family == "vit"
        else width * config.size("mlp_ratio", default=4),
        dropout=config.share("hidden_dropout_prob", default=0.0),
        attention_dropout=config.share("attention_probs_dropout_prob", default=0.0),
        drop_path=config.share("drop_path_rate", default=0.0),
        pooling="first" if family == "vit" else "both",
        registers=config.size("num_register_tokens", default=4) if family == "dinov2_with_registers" else 0,
        # Where factors would start in a model that is new: these have been learnt.
        layer_scale=None if family == "vit" else 1.0,
        activation=config.word("hidden_act", ACTIVATIONS, "gelu"),  # type: ignore[arg-type]
        epsilon=config.share("layer_norm_eps", default=1e-12 if family == "vit" else 1e-6),
        qkv_bias=config.truth("qkv_bias", True),
    )


def _side(config: Config, name: str, usual: int) -> int:
    """Return the side of a square, which may be written as two equal numbers."""
    value = config.values.get(name, usual)
    if isinstance(value, list) and len(value) == 2 and value[0] == value[1]:
        value = value[0]
    return Config({name: value}, config.origin).size(name, most=LARGEST_SIDE)


def _block_parts(family: VitFamily, settings: VitSettings, number: int, prefix: str) -> Iterator[Part]:
    ours, base = f"encoder.{number}", f"{prefix}encoder.layer.{number}"
    projections = [f"{base}.attention.attention.{name}" for name in ("query", "key", "value")]
    weight, bias = layer(f"{ours}.attention.project", *projections)
    yield from (weight, bias) if settings.qkv_bias else (weight,)
    yield from layer(f"{ours}.attention.output", f"{base}.attention.output.dense")
    names = (
        ("layernorm_before", "layernorm_after", "intermediate.dense", "output.dense")
        if family == "vit"
        else ("norm1", "norm2", "mlp.fc1", "mlp.fc2")
    )
    sublayers = (
        "around_attention.norm.norm",
        "around_feedforward.norm.norm",
        "feedforward.widen",
        "feedforward.narrow",
    )
    for part, theirs in zip(sublayers, names, strict=True):
        yield from layer(f"{ours}.{part}", f"{base}.{theirs}")
    if family != "vit":
        yield Part(f"{ours}.around_attention.between.0.scale_D", (f"{base}.layer_scale1.lambda1",))
        yield Part(f"{ours}.around_feedforward.between.0.scale_D", (f"{base}.layer_scale2.lambda1",))
