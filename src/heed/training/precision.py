"""In which numbers a model computes while it learns: float32, or bfloat16 beside weights that stay float32.

bfloat16 has eight bits for digits: enough to compute with, too few to add small steps to a weight. So a copy computes,
and the model itself learns. `torch.autocast` would do the same without a copy, but it converts every weight wherever it
is used, which for small models costs more than the faster products gain; `benchmarks/precision.py` compares them.
"""

import copy
from typing import Literal, Protocol

import torch
from torch import nn

PrecisionName = Literal["float32", "bf16"]


class Computing(Protocol):
    """What computes losses and gradients for a model."""

    objective: nn.Module

    def collect(self) -> None:
        """Add the gradients of the last backward pass to those of the model."""

    def refresh(self) -> None:
        """Take over the model's weights after they have changed."""


class InFloat32:
    """The model itself computes."""

    def __init__(self, objective: nn.Module) -> None:
        self.objective = objective

    def collect(self) -> None:
        """Do nothing: the gradients are where they belong."""

    def refresh(self) -> None:
        """Do nothing: there is no copy."""


class InBfloat16:
    """A copy in bfloat16 computes."""

    def __init__(self, objective: nn.Module) -> None:
        self.objective = copy.deepcopy(objective).bfloat16()
        self._weights = list(zip(objective.parameters(), self.objective.parameters(), strict=True))
        # Of what is not learnt only running statistics change; tables of positions are made by a formula, and exact.
        changing = objective.state_dict()
        self._statistics = [
            (mean, short)
            for (name, mean), short in zip(objective.named_buffers(), self.objective.buffers(), strict=True)
            if name in changing and mean.is_floating_point()
        ]

    def collect(self) -> None:
        """Add the copy's gradients, and the statistics of its norms, to those of the model."""
        for own, short in self._weights:
            if short.grad is not None:
                own.grad = short.grad.to(own.dtype) if own.grad is None else own.grad.add_(short.grad)
                short.grad = None
        for statistic, rounded in self._statistics:
            statistic.copy_(rounded)

    @torch.no_grad()
    def refresh(self) -> None:
        """Round the model's weights into the copy."""
        torch._foreach_copy_([short for _, short in self._weights], [own for own, _ in self._weights])


def build_computing(precision: PrecisionName, objective: nn.Module) -> Computing:
    """Return what computes in this precision."""
    return InBfloat16(objective) if precision == "bf16" else InFloat32(objective)
