"""How much each input moved a number that a model says, by gradients; the model itself is never changed.

    gradient x input         what the number would lose if the input shrank, to the first order (Shrikumar et al. 2016)
    integrated gradients     the same, averaged over the way from nothing to the input: all shares together are exactly
                             the difference that the input makes (Sundararajan et al. 2017, eq. 1 and proposition 1)

Inputs are the vectors of words, caught where the embedding gives them out, or the pixels of a picture. Nothing means
vectors of zeros, and for a picture the colour that its model reads as zero.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from heed.layers.trace import Trace


@dataclass(frozen=True, eq=False)
class Read:
    """What a model says, and the inputs from which a gradient can be told."""

    said: Tensor
    inputs: tuple[Tensor, ...]


Reader = Callable[[float, Trace | None], Read]  # reads the input, made smaller by a factor
Score = Callable[[Tensor], Tensor]  # of what was said, the one number to explain


@contextmanager
def caught(modules: Sequence[nn.Module], scale: float) -> Iterator[list[Tensor]]:
    """Give the outputs of the modules in the order of their calls, each scaled, as inputs of all that comes after."""
    seen: list[Tensor] = []

    def catch(module: nn.Module, inputs: tuple[object, ...], output: Tensor) -> Tensor:
        seen.append((output.detach() * scale).requires_grad_())
        return seen[-1]

    # A table that two sides share is one module, and is called twice.
    handles = [module.register_forward_hook(catch) for module in dict.fromkeys(modules)]
    try:
        yield seen
    finally:
        for handle in handles:
            handle.remove()


def gradient_times_input(read: Read, score: Score) -> list[Tensor]:
    """Return for each input what each of its numbers adds to the score, to the first order."""
    gradients = _gradients(read, score)
    return [(each.detach() * gradient) for each, gradient in zip(read.inputs, gradients, strict=True)]


def integrated_gradients(reader: Reader, score: Score, steps: int) -> list[Tensor]:
    """Return for each input what each of its numbers adds to the score, on the way from nothing in so many steps."""
    whole = [each.detach() for each in reader(1.0, None).inputs]
    totals = [torch.zeros_like(each) for each in whole]
    for step in range(steps):
        # In the middle of each step, where the error of a sum falls with the square of their number.
        gradients = _gradients(reader((step + 0.5) / steps, None), score)
        totals = [total + gradient for total, gradient in zip(totals, gradients, strict=True)]
    return [each * total / steps for each, total in zip(whole, totals, strict=True)]


def _gradients(read: Read, score: Score) -> tuple[Tensor, ...]:
    # Of the inputs alone: what the weights would learn is not asked for, and not computed.
    return torch.autograd.grad(score(read.said), read.inputs, allow_unused=True, materialize_grads=True)
