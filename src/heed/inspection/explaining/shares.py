"""`Share`s from gradients: the numbers of an input, summed over what a person sees as one thing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from torch import Tensor
from torch.nn import functional

from heed.inspection.explaining.gradients import (
    Read,
    Reader,
    Score,
    gradient_times_input,
    integrated_gradients,
)
from heed.inspection.explaining.looking import numbers_of
from heed.inspection.explanation import Method, Share
from heed.layers.patches import to_patches


@dataclass(frozen=True)
class Fold:
    """Which axis an input of a model is, and how the shares of its numbers become shares of the things there."""

    axis: str
    sum_up: Callable[[Tensor], Tensor]  # of the input's shape to (S,)


def words_on(axis: str, before: int = 0) -> Fold:
    """Return how vectors (1, T, D) fold; so many things stand before them that are no words."""
    return Fold(axis, lambda product_1TD: functional.pad(product_1TD[0].sum(dim=-1), (before, 0)))


def patches_on(axis: str, patch: int, before: int) -> Fold:
    """Return how pixels (1, 3, side, side) fold into patches; so many things stand before them."""
    return Fold(axis, lambda pixels: functional.pad(to_patches(pixels, patch)[0].sum(dim=-1), (before, 0)))


def shares_of(
    reader: Reader, read: Read, score: Score, answer: str, folds: Sequence[Fold], steps: int
) -> tuple[Share, ...]:
    """Return what moved the score: of what was read already by gradient x input, and if asked in so many steps."""
    found: list[tuple[Method, list[Tensor]]] = [("gradient x input", gradient_times_input(read, score))]
    if steps:
        found.append(("integrated gradients", integrated_gradients(reader, score, steps)))
    return tuple(
        Share(answer, method, fold.axis, numbers_of(fold.sum_up(product)))
        for method, products in found
        for fold, product in zip(folds, products, strict=True)
    )
