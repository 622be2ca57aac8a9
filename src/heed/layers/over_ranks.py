"""`sum_over_ranks`: a sum over the examples of all processes that train together, with its gradient.

Batch norm needs it: its mean and variance are those of the whole batch, of which each process has a share. The trainer
says how tensors are added up,

    with shared_batch(add, counts=True):
        loss = objective(batch)

and all processes then take part, in the forward pass and in the backward pass. One that has no example of a batch
takes part too, with an example that does not count: the others would wait for it for ever.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

Add = Callable[[Tensor], object]  # in place: each process is left with the sum of all


@dataclass(frozen=True)
class SharedBatch:
    """A batch of which this process has a share."""

    add: Add
    counts: bool  # False: its examples are those of another process, which counts them


_now: ContextVar[SharedBatch | None] = ContextVar("shared_batch", default=None)


@contextmanager
def shared_batch(add: Add, counts: bool) -> Iterator[None]:
    """Let layers that look at the whole batch see that of all processes, during one forward pass."""
    token = _now.set(SharedBatch(add, counts))
    try:
        yield
    finally:
        _now.reset(token)


def batch_now() -> SharedBatch | None:
    """Return the batch of which this process has a share, or None where it has all of it."""
    return _now.get()


def sum_over_ranks(x: Tensor, shared: SharedBatch) -> Tensor:
    """Return the sum of what all processes have here; its gradient is the sum of theirs."""
    total: Tensor = _Sum.apply(x, shared.add)  # type: ignore[no-untyped-call]
    return total


class _Sum(torch.autograd.Function):
    """Every process's loss depends on the sum, so each one's addend has the gradients of all."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, add: Add) -> Tensor:
        ctx.add = add
        total = x.clone(memory_format=torch.contiguous_format)
        add(total)
        return total

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, slope: Tensor) -> tuple[Tensor, None]:
        total = slope.clone(memory_format=torch.contiguous_format)
        ctx.add(total)
        return total, None
