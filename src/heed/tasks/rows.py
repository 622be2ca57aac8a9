"""`Rows`: many token sequences in one flat array, and their padding into a batch."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy
import torch
from torch import Tensor

Integers = numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.int32]]


@dataclass(frozen=True)
class Rows:
    """Sequence i is `flat[starts[i]:starts[i + 1]]`: 4 bytes a token, where a list of lists takes ten times that."""

    flat: Integers
    starts: numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.int64]]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, index: int) -> Integers:
        return self.flat[self.starts[index] : self.starts[index + 1]]

    @property
    def lengths(self) -> numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.int64]]:
        """Return the length of each sequence."""
        return numpy.diff(self.starts)


def rows_from(sequences: Sequence[Sequence[int]]) -> Rows:
    """Return the sequences as `Rows`."""
    lengths = numpy.fromiter((len(sequence) for sequence in sequences), dtype=numpy.int64, count=len(sequences))
    starts = numpy.concatenate([[0], numpy.cumsum(lengths)])
    flat = numpy.fromiter((id for sequence in sequences for id in sequence), dtype=numpy.int32, count=int(starts[-1]))
    return Rows(flat, starts)


def pad_rows(rows: Rows, chosen: Sequence[int]) -> tuple[Tensor, Tensor]:
    """Return `token_ids` and `keep` (B, T) of the chosen sequences, padded at the end to the longest of them.

    The padding is id 0, which every vocabulary has: what stands there never matters.
    """
    indices = numpy.asarray(chosen, dtype=numpy.int64)
    lengths = rows.lengths[indices]
    keep = numpy.arange(lengths.max())[None, :] < lengths[:, None]
    token_ids = numpy.zeros(keep.shape, dtype=numpy.int64)
    token_ids[keep] = numpy.concatenate([rows[index] for index in indices])
    return torch.from_numpy(token_ids), torch.from_numpy(keep)
