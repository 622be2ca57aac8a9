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
        _share_statistics(objective, self.objective)

    def collect(self) -> None:
        """Add the copy's gradients to those of the model."""
        for own, short in self._weights:
            if short.grad is not None:
                own.grad = short.grad.to(own.dtype) if own.grad is None else own.grad.add_(short.grad)
                short.grad = None

    @torch.no_grad()
    def refresh(self) -> None:
        """Round the model's weights into the copy."""
        torch._foreach_copy_([short for _, short in self._weights], [own for own, _ in self._weights])


def _share_statistics(objective: nn.Module, short: nn.Module) -> None:
    """Let the copy update the model's own running statistics.

    They exist once, in float32: what is saved and restored is all there is, and a momentum of 0.1 is not rounded away.
    Other buffers, such as tables of positions, are not saved: they are constants, and the copy keeps its own.
    """
    saved = objective.state_dict()
    for name, statistic in objective.named_buffers(remove_duplicate=False):
        if name in saved:
            module, _, own_name = name.rpartition(".")
            setattr(short.get_submodule(module), own_name, statistic)


def build_computing(precision: PrecisionName, objective: nn.Module) -> Computing:
    """Return what computes in this precision."""
    return InBfloat16(objective) if precision == "bf16" else InFloat32(objective)
