"""DINOv2 by its official names (Oquab et al. 2024): one file of weights without a config; shapes tell the sizes.

The names may stand behind a prefix (`backbone.`) in a file of somebody who built on it; what stands elsewhere in such a
file is left out and counted.
"""

import math
import re
from collections.abc import Iterator, Mapping

from torch import Tensor

from heed.errors import RunError
from heed.models.published.config import MOST_LAYERS
from heed.models.published.parts import Part, differences, layer, listed
from heed.models.published.vit import (
    FIRST,
    POSITIONS,
    REGISTERS,
    PublishedVit,
    VitFamily,
    fitting,
    unwrapped,
    usual_preprocessing,
)
from heed.models.vit import VitSettings

HEAD_WIDTH = 64  # of every published DINOv2
_KERNEL = "patch_embed.proj.weight"
_BLOCK = re.compile(r"blocks\.(\d{1,4})\.")


def read_dinov2(tensors: Mapping[str, Tensor], origin: str) -> PublishedVit:
    """Return the encoder; refuse weights that are missing, not known or do not fit each other."""
    prefix = _prefix(tensors, origin)
    own = {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}
    family: VitFamily = "dinov2_with_registers" if "register_tokens" in own else "dinov2"
    settings = _settings(own, origin)
    parts = list(_parts(settings))
    problems = differences(parts, own, ("mask_token",))
    if problems:
        raise RunError(f"The weights of {origin} are no whole DINOv2: {listed(problems)}. Fetch the file again.")
    trunk = {part.ours: part.join({name: unwrapped(name, own[name]) for name in part.theirs}) for part in parts}
    others = len(tensors) - len(own)
    notes = (f"{others:,} tensors beside the encoder ({prefix}*) are left out",) if others else ()
    preprocessing = usual_preprocessing(family, settings.image)
    return PublishedVit(family, "none", settings, fitting(trunk, settings, origin), {}, (), preprocessing, notes)


def _prefix(tensors: Mapping[str, Tensor], origin: str) -> str:
    found = sorted(name.removesuffix(_KERNEL) for name in tensors if name.endswith(_KERNEL))
    if len(found) == 1:
        return found[0]
    if not found:
        raise RunError(
            f"{origin} holds no {_KERNEL}, but {str(sorted(tensors)[:3])[:120]}: it is no DINOv2. "
            f"Give such a file, or a folder in the format of Hugging Face."
        )
    raise RunError(f"{origin} holds several encoders: {', '.join(found)[:120]}. Save the one that you want.")


def _settings(own: Mapping[str, Tensor], origin: str) -> VitSettings:
    """Return the sizes that the shapes tell."""
    shape = _shape(own, _KERNEL, 4, origin)
    width, patch = shape[0], shape[2]
    places = _shape(own, "pos_embed", 3, origin)[1] - 1
    rows = math.isqrt(max(places, 0))
    inner = _shape(own, "blocks.0.mlp.fc1.weight", 2, origin)[0]
    if rows < 1 or rows * rows != places:
        raise RunError(f"{origin}: pos_embed has {places + 1} rows, which are not [CLS] and the patches of a square.")
    if width % HEAD_WIDTH:
        raise RunError(
            f"{origin}: the width is {width}; a DINOv2 has heads of {HEAD_WIDTH}, so it is a multiple of it."
        )
    registers = _shape(own, "register_tokens", 3, origin)[1] if "register_tokens" in own else 0
    return VitSettings(
        image=rows * patch,
        patch=patch,
        width=width,
        heads=width // HEAD_WIDTH,
        layers=_layers(own, origin),
        feedforward=inner,
        drop_path=0.0,
        pooling="both",
        registers=registers,
        layer_scale=1.0,
        epsilon=1e-6,
    )


def _layers(own: Mapping[str, Tensor], origin: str) -> int:
    layers = 1 + max((int(found[1]) for name in own if (found := _BLOCK.match(name))), default=-1)
    if not 1 <= layers <= MOST_LAYERS:
        raise RunError(f"{origin} has {layers:,} blocks; 1 to {MOST_LAYERS:,} are read.")
    return layers


def _shape(own: Mapping[str, Tensor], name: str, axes: int, origin: str) -> tuple[int, ...]:
    shape = tuple(own[name].shape) if name in own else ()
    if len(shape) != axes or 0 in shape:
        said = f"is of shape {shape}, not of {axes} axes" if name in own else "is missing"
        raise RunError(f"The weights of {origin} are no whole DINOv2: {name} {said}. Fetch the file again.")
    return shape


def _parts(settings: VitSettings) -> Iterator[Part]:
    yield Part(FIRST, ("cls_token",))
    yield Part(POSITIONS, ("pos_embed",))
    if settings.registers:
        yield Part(REGISTERS, ("register_tokens",))
    yield from layer("embedding.patches.project", "patch_embed.proj")
    for number in range(settings.layers):
        ours, theirs = f"encoder.{number}", f"blocks.{number}"
        yield from layer(f"{ours}.around_attention.norm.norm", f"{theirs}.norm1")
        yield from layer(f"{ours}.attention.project", f"{theirs}.attn.qkv")
        yield from layer(f"{ours}.attention.output", f"{theirs}.attn.proj")
        yield Part(f"{ours}.around_attention.between.0.scale_D", (f"{theirs}.ls1.gamma",))
        yield from layer(f"{ours}.around_feedforward.norm.norm", f"{theirs}.norm2")
        yield from layer(f"{ours}.feedforward.widen", f"{theirs}.mlp.fc1")
        yield from layer(f"{ours}.feedforward.narrow", f"{theirs}.mlp.fc2")
        yield Part(f"{ours}.around_feedforward.between.0.scale_D", (f"{theirs}.ls2.gamma",))
    yield from layer("encoder_norm.norm", "norm")
