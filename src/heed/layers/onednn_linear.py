"""`multiply_by_onednn`: training multiplies by oneDNN where torch's own way leaves half of the processor idle.

torch multiplies 32-bit floats by MKL, which is made for Intel's processors: on one of AMD's with AVX-512 it is as slow
as if there were only AVX2. oneDNN, which is in torch too, asks what the processor can do and not who made it, and is
about twice as fast there (`machine.gains_by_onednn`; `benchmarks/linear.py` compares them). For few rows torch's
product stays. A model that only predicts (`packed.py`) multiplies so too when gradients of its inputs are asked for.
"""

from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable
from torch.nn import functional

from heed.layers.products import with_products

ENOUGH = 1 << 22  # multiplications: for fewer, the way to oneDNN takes longer than it saves


class OneDnnLinear(nn.Linear):
    """W x + b, multiplied by oneDNN when gradients are wanted of many 32-bit rows."""

    def __init__(self, linear: nn.Linear) -> None:
        nn.Module.__init__(self)  # not Linear's, which would draw weights that nobody needs
        self.in_features, self.out_features = linear.in_features, linear.out_features
        self.weight, self.bias = linear.weight, linear.bias
        self.train(linear.training)

    def forward(self, x: Tensor) -> Tensor:
        """Return the product for vectors of any leading shape."""
        enough = x.numel() * self.out_features >= ENOUGH
        if not enough or not torch.is_grad_enabled() or x.dtype != torch.float32:
            return super().forward(x)
        x_ND = x.reshape(-1, self.in_features)
        rows = len(x_ND)
        more = rounded_up(rows) - rows
        padded_ND = functional.pad(x_ND, (0, 0, 0, more)) if more else x_ND
        product: Tensor = OneDnnProduct.apply(padded_ND, self.weight, self.bias)  # type: ignore[no-untyped-call]
        return product[:rows].view(*x.shape[:-1], self.out_features)


class OneDnnProduct(torch.autograd.Function):
    """X Wᵀ + b of matrices, and its gradients, all by oneDNN."""

    @staticmethod
    def forward(ctx: Any, x_ND: Tensor, weight_XD: Tensor, bias_X: Tensor | None) -> Tensor:
        """Return (N, X)."""
        ctx.save_for_backward(x_ND, weight_XD)
        return times_transposed(x_ND, weight_XD, bias_X)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, slope_NX: Tensor) -> tuple[Tensor | None, Tensor | None, Tensor | None]:
        """Return the gradients of those that want one."""
        x_ND, weight_XD = ctx.saved_tensors
        of_x, of_weight, of_bias = ctx.needs_input_grad
        return (
            times_transposed(slope_NX, weight_XD.t()) if of_x else None,
            _slope_of_weight(slope_NX, x_ND) if of_weight else None,
            slope_NX.sum(0) if of_bias else None,
        )


def rounded_up(rows: int) -> int:
    """Return the next multiple of 64, or of less where that would be more than 7 % above.

    oneDNN compiles a program for each shape and the memory around it grows with their number: batches of sentences
    have hundreds of lengths. Those of pictures have one, mostly such a multiple, and are not copied.
    """
    step = min(64, 1 << max(0, rows.bit_length() - 5))
    return -(-rows // step) * step


def times_transposed(left_NK: Tensor, right_MK: Tensor, bias_M: Tensor | None = None) -> Tensor:
    """Return the product (N, M) of one matrix with another that is transposed, plus the bias, by oneDNN."""
    product: Tensor = torch.ops.mkldnn._linear_pointwise.default(left_NK, right_MK, bias_M, "none", [], "")
    return product


def _slope_of_weight(slope_NX: Tensor, x_ND: Tensor) -> Tensor:
    """Return (X, D). The left one of two matrices is copied when it is transposed, so that is the smaller."""
    if slope_NX.shape[1] > x_ND.shape[1]:
        return times_transposed(x_ND.t(), slope_NX.t()).t()
    return times_transposed(slope_NX.t(), x_ND.t())


def multiply_by_onednn(model: nn.Module) -> nn.Module:
    """Let a model that will be trained multiply by oneDNN; return the model."""
    return with_products(model, OneDnnLinear)
