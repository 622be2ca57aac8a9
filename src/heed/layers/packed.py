"""`pack_products`: a model that will only predict keeps its weights in the layouts that the processor's kernels want.

torch lays weights out anew at every product; for the few rows of one sentence that takes longer than the product, and
reading 32-bit weights from memory takes most of the rest. So weights are laid out once, in two ways:

    narrow    16-bit floats, multiplied as 32-bit ones, for few rows: half of the memory to read (FBGEMM)
    wide      32-bit floats in blocks, for many rows, where the arithmetic takes longer than the reading (oneDNN)

The narrow way is taken only for weights that are 16-bit numbers already, as trained ones are (see
`training/average.py`), so both give what torch's product gives. `benchmarks/linear.py` compares them.
"""

import warnings

import torch
from torch import Tensor, nn

from heed.layers.half import is_half
from heed.layers.onednn_linear import OneDnnLinear
from heed.layers.products import has_onednn, with_products

# torch means to drop this way of calling FBGEMM some day; the other one takes 10 microseconds more to call, half of a
# small product. `can_narrow` looks whether it is there. For the whole process, since models are loaded in threads.
warnings.filterwarnings("ignore", message="fbgemm_.* is deprecated")

FEW = 32  # rows up to which narrow weights are faster; at 64 the two are alike, and beyond that wide ones are
BLOCKS_FOR = 64  # rows for which oneDNN chooses its blocks


class NarrowProduct:
    """W x + b of 16-bit weights."""

    def __init__(self, linear: nn.Linear) -> None:
        self._weights = torch.fbgemm_pack_gemm_matrix_fp16(linear.weight.detach())
        self._bias = torch.zeros(linear.out_features) if linear.bias is None else linear.bias.detach()

    def __call__(self, x: Tensor) -> Tensor:
        """Return the product for vectors of any leading shape."""
        return torch.fbgemm_linear_fp16_weight_fp32_activation(x, self._weights, self._bias)


class WideProduct:
    """W x + b of 32-bit weights in blocks, by the operators that torch's own compiler uses."""

    def __init__(self, linear: nn.Linear) -> None:
        self._weights: Tensor = torch.ops.mkldnn._reorder_linear_weight(linear.weight.detach(), BLOCKS_FOR)
        self._bias = linear.bias
        # Looked up once: by its full name, and not anew at every product.
        self._product = torch.ops.mkldnn._linear_pointwise.default

    def __call__(self, x: Tensor) -> Tensor:
        """Return the product for vectors of any leading shape."""
        return self._product(x, self._weights, self._bias, "none", [], "")


Product = NarrowProduct | WideProduct


class PackedLinear(OneDnnLinear):
    """W x + b, packed for few and for many rows; `weight` and `bias` are still there, for gradients and for saving."""

    def __init__(self, linear: nn.Linear, few: Product, many: Product) -> None:
        super().__init__(linear)
        self._few, self._many = few, many
        self._few_numbers = FEW * linear.in_features

    def forward(self, x: Tensor) -> Tensor:
        """Return the product for vectors of any leading shape."""
        numbers = x.numel()
        if torch.is_grad_enabled() or x.dtype != torch.float32 or not numbers:
            return super().forward(x)
        return self._few(x) if numbers <= self._few_numbers else self._many(x)


def pack_products(model: nn.Module) -> nn.Module:
    """Put packed products in the place of all plain ones, where this computer can do it; return the model.

    It learns no more: explanations ask for gradients of inputs, and those of weights would be made beside them.
    """
    model.requires_grad_(False)
    return with_products(model, _packed) if has_onednn() else model


def can_narrow() -> bool:
    """Tell whether torch has FBGEMM's operators here, which are for x86 processors."""
    return "fbgemm" in torch.backends.quantized.supported_engines and hasattr(torch, "fbgemm_pack_gemm_matrix_fp16")


def _packed(linear: nn.Linear) -> PackedLinear:
    many = WideProduct(linear)
    return PackedLinear(linear, NarrowProduct(linear) if can_narrow() and is_half(linear.weight) else many, many)
