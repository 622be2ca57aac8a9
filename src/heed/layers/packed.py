"""`pack_products`: a model that will only predict keeps its weights in the layout that the processor's kernels want.

torch lays weights out anew at every product; for the few rows of one sentence that takes longer than the product.
Packed once, four rows times a vocabulary of 8,000 take a quarter of the time, and smaller layers half of it, with
results equal to torch's; `benchmarks/linear.py` compares them. The operators are those that torch's own compiler uses.
"""

import torch
from torch import Tensor, nn

from heed.layers.linear import Linear

ROWS = 4  # for which the layout is chosen: the beams of one sentence; more rows are as fast as with any other


class PackedLinear(Linear):
    """W x + b with weights packed for prediction; `weight` and `bias` are still there, for training and for saving."""

    def __init__(self, linear: nn.Linear) -> None:
        nn.Module.__init__(self)  # not Linear's, which would draw weights that nobody needs
        self.in_features, self.out_features = linear.in_features, linear.out_features
        self.weight, self.bias = linear.weight, linear.bias
        self.packed: Tensor = torch.ops.mkldnn._reorder_linear_weight(linear.weight.detach(), ROWS)
        # Looked up once: by its full name, and not anew at every product.
        self._product = torch.ops.mkldnn._linear_pointwise.default

    def forward(self, x: Tensor) -> Tensor:
        """Return the product for vectors of any leading shape."""
        if torch.is_grad_enabled() or x.dtype != torch.float32 or x.numel() == 0:
            return super().forward(x)
        return self._product(x, self.packed, self.bias, "none", [], "")


def pack_products(model: nn.Module) -> nn.Module:
    """Put packed products in the place of all plain ones, where this computer can do it; return the model."""
    if not can_pack():
        return model
    for parent in list(model.modules()):
        for name, child in list(parent.named_children()):
            if type(child) is Linear and child.weight.dtype == torch.float32:
                setattr(parent, name, PackedLinear(child))
    return model


def can_pack() -> bool:
    """Tell whether torch has the operators here: they are of oneDNN, which not every build and processor has."""
    available: bool = torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
    return available and hasattr(torch.ops.mkldnn, "_reorder_linear_weight")
