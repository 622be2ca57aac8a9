"""How deep a parameter lies in a stack of blocks, and what follows: lower ones may learn more slowly, or not at all.

What a pre-trained model knows of language in general lies in its lower blocks; what a task needs is learnt above
them. So the learning rate may fall from block to block (Howard and Ruder 2018, section 3.2). The blocks are those of
the encoder; a language model has no encoder, so there they are those of its decoder.
"""

import re

from torch import nn

from heed.errors import SettingsError

_ENCODER = re.compile(r"(?:^|\.)encoder\.(\d+)\.")
_DECODER = re.compile(r"(?:^|\.)decoder\.(\d+)\.")
# A decoder that learns to write beside an encoder that was trained is new, its embedding too.
_BELOW = re.compile(r"(?:^|\.)(?:(?!target_)\w*embedding\w*|positions|source_positions)\.")


def rate_shares(model: nn.Module, decay: float) -> dict[str, float]:
    """Return for each parameter its share of the learning rate: 1 above the blocks, `decay` less with each below."""
    depths = _depths(model)
    top = max(depths.values(), default=0)
    return {name: decay ** (top - depth) for name, depth in depths.items()}


def freeze(model: nn.Module, layers: int) -> None:
    """Let the embedding and so many blocks keep their weights."""
    depths = _depths(model)
    blocks = sum(1 for depth in set(depths.values()) if depth >= 1) - 1
    if blocks < 1 or layers > blocks:
        raise SettingsError(
            f"training.frozen_layers is {layers}, but this model has {max(blocks, 0)} blocks. "
            f"Use {max(blocks, 0)} or less, or none."
        )
    for name, parameter in model.named_parameters():
        if depths[name] <= layers:
            parameter.requires_grad_(False)


def _depths(model: nn.Module) -> dict[str, int]:
    """Return 0 for what lies below the first block, 1 for that, and so on; the highest number for what lies above."""
    found, names = {}, [name for name, _ in model.named_parameters()]
    blocks = _ENCODER if any(map(_ENCODER.search, names)) else _DECODER
    for name in names:
        block = blocks.search(name)
        found[name] = int(block[1]) + 1 if block else 0 if _BELOW.search(name) else -1
    above = max(found.values(), default=0) + 1
    return {name: above if depth < 0 else depth for name, depth in found.items()}
