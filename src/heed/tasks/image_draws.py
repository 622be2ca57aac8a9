"""`Draws`: what is random about the pictures of a batch, a pure function of the seed, the epoch and each picture.

So a picture is varied alike whatever it is batched with, however many processes read pictures, and after a resume.
"""

import copy
from collections.abc import Sequence
from typing import Self

import numpy
import torch
from torch import Tensor

COLUMNS = 64  # numbers that a picture has for one epoch; more than anything asks for


class Draws:
    """Numbers from 0 to 1 for each picture of a batch, handed out a column at a time."""

    def __init__(self, seed: int, epoch: int, pictures: Sequence[int]) -> None:
        rows = [numpy.random.SeedSequence([seed, epoch, picture]).generate_state(COLUMNS) for picture in pictures]
        states_BK = numpy.asarray(rows, dtype=numpy.uint32).reshape(len(rows), COLUMNS)
        self._numbers_KB = torch.from_numpy((states_BK.T / 2**32).astype(numpy.float32))
        self._column = -1

    def first(self, pictures: int) -> Self:
        """Return what the first so many pictures draw from here on."""
        some = copy.copy(self)
        some._numbers_KB = self._numbers_KB[:, :pictures]
        return some

    def uniform(self) -> Tensor:
        """Return the next number (B,) of each picture, at least 0 and below 1."""
        self._column += 1
        # A number of 32 bits may round up to 1 in the 24 bits of a float.
        return self._numbers_KB[self._column].clamp(max=1 - 2**-24)

    def between(self, low: float, high: float) -> Tensor:
        """Return the next number (B,) of each picture, between two limits."""
        return low + (high - low) * self.uniform()

    def happens(self, share: float) -> Tensor:
        """Return for each picture (B,) whether something happens to it that happens to such a share of them."""
        return self.uniform() < share
