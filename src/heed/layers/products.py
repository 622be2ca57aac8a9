"""`with_products`: a model whose products W x + b are computed in another way; its weights and their names stay.

The other ways are `packed.py`, to predict, and `onednn_linear.py`, to train.
"""

from collections.abc import Callable

import torch
from torch import nn


def with_products(model: nn.Module, other_way: Callable[[nn.Linear], nn.Linear]) -> nn.Module:
    """Put the other way in the place of every plain product of 32-bit weights; return the model."""
    for parent in list(model.modules()):
        for name, child in list(parent.named_children()):
            # Only torch's own class: what was replaced before, or computes something else besides, is left alone.
            if type(child) is nn.Linear and child.weight.dtype == torch.float32:
                setattr(parent, name, other_way(child))
    return model


def has_onednn() -> bool:
    """Tell whether torch has oneDNN's operators here: not every build and processor does."""
    available: bool = torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
    return available and hasattr(torch.ops.mkldnn, "_linear_pointwise")
