"""Models of pictures as `transformers` names them: whichever of ViT and DINOv2 computes the same.

pooling first, no registers     ViT; factors of layer scale are multiplied into the layers before them
pooling first, registers        DINOv2 with registers; its head does not look at the mean of the patches
pooling both                    DINOv2, with registers or without
"""

from collections.abc import Mapping
from dataclasses import replace

import torch
from torch import Tensor
from torch.nn import functional

from heed.exchange.exported import Exported, cannot
from heed.exchange.published_folder import json_text
from heed.layers.grid_positions import grid_sinusoid
from heed.models.published.image_processor import Preprocessing, write_preprocessing
from heed.models.published.vit import POSITIONS, PublishedVit, VitFamily
from heed.models.published.vit_writing import write_vit
from heed.models.vit import VitSettings
from heed.runs import image_run
from heed.runs.folder import RunFolder
from heed.runs.image_base import PREPROCESSOR_CONFIG, preprocessing_of
from heed.runs.image_settings import ImageSettings

# Each place of layer scale, and the layer whose output it multiplies.
_SCALED = {
    "around_attention.between.0.scale_D": "attention.output",
    "around_feedforward.between.0.scale_D": "feedforward.narrow",
}


def export_image_run(folder: RunFolder, settings: ImageSettings) -> Exported:
    """Return the run as a folder of theirs, or refuse with the switch that is in the way."""
    best = folder.read_best()
    labels = () if best.facts.get("head") == "none" else image_run.read_classes(folder).labels.names
    return export_vit(settings.model, best.tensors, labels, preprocessing_of(settings), str(folder.path))


def export_vit(
    settings: VitSettings,
    weights: Mapping[str, Tensor],
    labels: tuple[str, ...],
    preprocessing: Preprocessing,
    origin: str,
) -> Exported:
    """Return the model as a folder of theirs, or refuse it; weights by the names of `ImageClassifier`.

    Without labels it is an encoder, and has no head.
    """
    family = _family(settings)
    _check_switches(settings, family, origin)
    trunk = _with_table(_under(weights, "encoder."), settings)
    trunk = _folded(trunk, settings) if family == "vit" else _scaled(trunk, settings)
    last = {f"last.{name}": tensor for name, tensor in _under(weights, "head.").items()}
    if last and family != "vit" and settings.pooling == "first":
        last["last.weight"] = functional.pad(last["last.weight"], (0, settings.width))
    layer_scale = None if family == "vit" else settings.layer_scale or 1.0
    written = replace(settings, layer_scale=layer_scale, positions="learned")
    vit = PublishedVit(family, "classes" if labels else "none", written, trunk, last, labels, preprocessing)
    return Exported(write_vit(vit), {PREPROCESSOR_CONFIG: json_text(write_preprocessing(preprocessing))})


def _family(settings: VitSettings) -> VitFamily:
    if settings.registers:
        return "dinov2_with_registers"
    return "dinov2" if settings.pooling == "both" else "vit"


def _check_switches(settings: VitSettings, family: VitFamily, origin: str) -> None:
    if settings.pooling == "mean":
        raise cannot(origin, "model.pooling", settings.pooling, "Train with model.pooling=first or both.")
    if settings.stem != "patches":
        raise cannot(origin, "model.stem", settings.stem, "Train with model.stem=patches.")
    if settings.activation == "swiglu":
        raise cannot(origin, "model.activation", settings.activation, "Train with model.activation=gelu.")
    if family != "vit" and settings.feedforward % settings.width:
        cure = f"With registers or pooling=both use a multiple of model.width={settings.width}."
        raise cannot(origin, "model.feedforward", settings.feedforward, cure)


def _with_table(trunk: Mapping[str, Tensor], settings: VitSettings) -> dict[str, Tensor]:
    """Return the weights with a table of positions: those of a formula, or none at all, are a table there."""
    if POSITIONS in trunk:
        return dict(trunk)
    rows, columns = settings.grid
    table = torch.zeros(rows * columns, settings.width)
    if settings.positions == "sinusoid":
        table = grid_sinusoid(settings.grid, settings.width).float()
    return {**trunk, POSITIONS: functional.pad(table, (0, 0, 1, 0))}


def _folded(trunk: Mapping[str, Tensor], settings: VitSettings) -> dict[str, Tensor]:
    """Return the weights without layer scale: s (W x + b) = (s W) x + s b."""
    if settings.layer_scale is None:
        return dict(trunk)
    result = dict(trunk)
    for layer in range(settings.layers):
        for place, product in _SCALED.items():
            scale_D = result.pop(f"encoder.{layer}.{place}")
            name = f"encoder.{layer}.{product}"
            result[f"{name}.weight"] = result[f"{name}.weight"] * scale_D[:, None]
            result[f"{name}.bias"] = result[f"{name}.bias"] * scale_D
    return result


def _scaled(trunk: Mapping[str, Tensor], settings: VitSettings) -> dict[str, Tensor]:
    """Return the weights with layer scale, which every DINOv2 has: factors of one change nothing."""
    if settings.layer_scale is not None:
        return dict(trunk)
    places = [f"encoder.{layer}.{place}" for layer in range(settings.layers) for place in _SCALED]
    return {**trunk, **{place: torch.ones(settings.width) for place in places}}


def _under(weights: Mapping[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): tensor for name, tensor in weights.items() if name.startswith(prefix)}
