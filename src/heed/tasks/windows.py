"""A row of ids cut for a language model: into windows that are shuffled, or into lanes that are read from end to end.

    windows    for a model that sees no further than a window: the cuts are shifted in every epoch, so that no token
               always stands at the beginning of one, with nothing to look back at
    lanes      for a recurrent network: the row in B pieces side by side, each read window by window, so that the state
               after a window is the state before the next (truncated back-propagation, Williams and Peng 1990)

Either way every token is predicted exactly once in an epoch.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy
import torch
from torch import Tensor

from heed.tasks.rows import Integers


@dataclass(frozen=True)
class Windows:
    """Some windows: `next_ids` is what the model should say at each position."""

    token_ids: Tensor  # (B, T)
    next_ids: Tensor  # (B, T)
    keep: Tensor  # (B, T) False where a window is shorter than the longest of them


def window_order(tokens: int, longest: int, seed: int, epoch: int, rows: int) -> list[list[int]]:
    """Return the first positions of all windows of an epoch, shuffled, in batches of so many rows.

    The first one may be below 0: of that window only the later part exists.
    """
    generator = numpy.random.PCG64(numpy.random.SeedSequence([seed, epoch]))
    shift = int(generator.random_raw()) % longest + 1
    firsts = numpy.arange(shift - longest, tokens, longest)
    # Ranks of raw random bits, for numpy promises these to be the same in every version; its permutation() it does not.
    order = firsts[numpy.argsort(generator.random_raw(len(firsts)), kind="stable")].tolist()
    return [order[begin : begin + rows] for begin in range(0, len(order), rows)]


def cut_windows(ids: Integers, firsts: Sequence[int], longest: int) -> Windows:
    """Return the windows that begin at these positions, padded at the end."""
    begins = numpy.asarray(firsts, dtype=numpy.int64)
    ends = numpy.minimum(begins + longest, len(ids) - 1)
    return _cut(ids, numpy.maximum(begins, 0), ends)


@dataclass(frozen=True)
class Lanes:
    """A row of ids in lanes of like length; the last ones may end a few tokens earlier."""

    ids: Integers  # (N + 1,)
    longest: int  # tokens of a window
    wanted: int  # lanes; a row that is too short for so many has fewer

    @property
    def count(self) -> int:
        """Return how many lanes there are: each holds at least one whole window, if the row does."""
        return max(1, min(self.wanted, (len(self.ids) - 1) // self.longest))

    @property
    def length(self) -> int:
        """Return how many tokens the longest lane has."""
        return -(-(len(self.ids) - 1) // self.count)

    @property
    def windows(self) -> int:
        """Return how many windows a lane has; the last may be shorter."""
        return -(-self.length // self.longest)

    def cut(self, window: int) -> Windows:
        """Return this window of every lane."""
        begins = numpy.arange(self.count) * self.length
        ends = numpy.minimum(begins + self.length, len(self.ids) - 1)
        firsts = begins + window * self.longest
        return _cut(self.ids, firsts, numpy.minimum(firsts + self.longest, ends))


def _cut(ids: Integers, begins: numpy.ndarray, ends: numpy.ndarray) -> Windows:
    """Return the ids from each begin to its end, and those that follow them by one."""
    places = begins[:, None] + numpy.arange(int((ends - begins).max()))
    keep = places < ends[:, None]
    token_ids, next_ids = (torch.from_numpy(ids[numpy.minimum(places + by, len(ids) - 1)]).long() for by in (0, 1))
    return Windows(token_ids, next_ids, torch.from_numpy(keep))
