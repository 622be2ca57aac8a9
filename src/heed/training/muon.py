"""Muon (Jordan 2024): momentum for matrices, whose step is made as large in every direction.

The gradient of a matrix is mostly of a few directions, so that plain steps learn these and hardly any other. Muon
takes the momentum G = U S V' and steps along U V', by a polynomial of G that needs no decomposition. It is for matrices
between vectors of the model's own; what reads pieces or pixels, what answers, and what is no matrix is left to AdamW.

`torch.optim.Muon` takes one matrix at a time, none of a convolution, and always rounds to bfloat16, which not every
processor can multiply. Here matrices of one shape go through the polynomial together, in the precision of the run.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from heed.layers.attention import CrossAttention, SelfAttention
from heed.layers.feedforward import FeedForward, GatedFeedForward
from heed.layers.onednn_linear import ENOUGH, times_transposed
from heed.layers.patches import ConvolutionalStem, ResidualStem

MOMENTUM = 0.95
# x -> a x + b x^3 + c x^5, five times: singular values from 0.002 to 1 end between 0.68 and 1.20. Steeper at 0 than
# polynomials that end at 1, so fewer times will do.
POLYNOMIAL, TIMES = (3.4445, -4.7750, 2.0315), 5
LIKE_ADAM = 0.2  # root mean square of what AdamW adds at a rate of 1: so one learning rate suits both (Liu et al. 2025)

Product = Callable[[Tensor, Tensor], Tensor]  # (N, R, K) and (N, C, K) to (N, R, C): `by_torch` or `by_onednn`


class Muon(torch.optim.Optimizer):
    """Steps for the matrices that `matrices_in` finds; a group's `matrices` says how many stand in each parameter."""

    # Any: torch's own type of a group
    def __init__(self, groups: list[dict[str, Any]], dtype: torch.dtype, multiply: Product) -> None:
        super().__init__(groups, {"lr": 0.0})
        self.dtype = dtype  # of the polynomial; how far along a direction a step goes needs few digits
        self.multiply = multiply

    @torch.no_grad()
    def step(self) -> None:  # type: ignore[override]  # torch's may be handed a closure, which nothing here has
        """Move every matrix that has a gradient."""
        shaped: dict[torch.Size, list[_Move]] = defaultdict(list)
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None:
                    parameter.mul_(1 - group["lr"] * group["weight_decay"])
                    for move in self._moves(parameter, parameter.grad, group["matrices"], group["lr"]):
                        shaped[move.matrix.shape].append(move)
        for (_, columns), moves in shaped.items():
            directions = orthogonal(torch.stack([move.towards for move in moves]).to(self.dtype), self.multiply)
            for move, direction in zip(moves, directions, strict=True):
                move.matrix.sub_(direction, alpha=move.rate * LIKE_ADAM * math.sqrt(columns))

    def _moves(self, parameter: Tensor, gradient: Tensor, matrices: int, rate: float) -> Iterator["_Move"]:
        """Take the gradient into the momentum; go where that will be if the gradient stays as it is (Nesterov 1983)."""
        state = self.state[parameter]
        if not state:
            state["momentum_buffer"] = torch.zeros_like(parameter)
        momentum = state["momentum_buffer"].lerp_(gradient, 1 - MOMENTUM)
        pieces = (lying(tensor, matrices) for tensor in (parameter, gradient.lerp(momentum, MOMENTUM)))
        return (_Move(matrix, towards, rate) for matrix, towards in zip(*pieces, strict=True))


class _Move(NamedTuple):
    """A matrix, a view of a parameter, and where it is to go."""

    matrix: Tensor
    towards: Tensor
    rate: float


def orthogonal(matrices_NRC: Tensor, multiply: Product) -> Tensor:
    """Return the matrices with their directions kept and all singular values near 1; none may be taller than wide."""
    a, b, c = POLYNOMIAL
    x_NRC = matrices_NRC / matrices_NRC.norm(dim=(1, 2), keepdim=True).clamp(min=1e-7)
    for _ in range(TIMES):
        squares_NRR = multiply(x_NRC, x_NRC)  # their own transposes, so the next product is that of each with itself
        x_NRC = a * x_NRC + multiply(b * squares_NRR + c * multiply(squares_NRR, squares_NRR), x_NRC.mT)
    return x_NRC


def by_torch(left_NRK: Tensor, right_NCK: Tensor) -> Tensor:
    """Return the products (N, R, C) of matrices with others that are transposed."""
    return left_NRK @ right_NCK.mT


def by_onednn(left_NRK: Tensor, right_NCK: Tensor) -> Tensor:
    """Return the same; large matrices of 32-bit floats are multiplied one after the other, by oneDNN."""
    if left_NRK[0].numel() * right_NCK.shape[1] < ENOUGH or left_NRK.dtype != torch.float32:
        return by_torch(left_NRK, right_NCK)
    return torch.stack([times_transposed(*pair) for pair in zip(left_NRK, right_NCK, strict=True)])


def matrices_in(model: nn.Module) -> Mapping[Tensor, int]:
    """Return the weights that Muon is for, and how many matrices stand one upon the other in each."""
    return dict(found for module in model.modules() for found in _of_layer(module) if found[0].requires_grad)


def _of_layer(layer: nn.Module) -> Iterator[tuple[Tensor, int]]:
    match layer:
        case SelfAttention():  # queries, keys and values have nothing to do with each other
            yield from ((layer.project.weight, 3), (layer.output.weight, 1))
        case CrossAttention():
            yield from ((layer.query.weight, 1), (layer.key_value.weight, 2), (layer.output.weight, 1))
        case FeedForward():
            yield from ((layer.widen.weight, 1), (layer.narrow.weight, 1))
        case GatedFeedForward():
            yield from ((layer.widen.weight, 2), (layer.narrow.weight, 1))
        case ConvolutionalStem() | ResidualStem():
            _, *filters = (part for part in layer.modules() if isinstance(part, nn.Conv2d))  # the first reads pixels
            yield from ((each.weight, 1) for each in filters)


def lying(weight: Tensor, matrices: int) -> list[Tensor]:
    """Return the matrices of a weight, a filter being one with a row for each channel that comes out.

    What is taller than wide is turned round, so that it shares its products with others.
    """
    cut = weight.view(len(weight), -1).chunk(matrices)
    return [each if each.shape[0] <= each.shape[1] else each.mT for each in cut]
