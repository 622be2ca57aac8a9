"""Positions of patches on the grid of a picture: sinusoids in two directions, and a learned table for another grid."""

import torch
from torch import Tensor
from torch.nn import functional

from heed.layers.positions import sinusoid

Grid = tuple[int, int]  # rows and columns of patches


def grid_sinusoid(grid: Grid, width: int) -> Tensor:
    """Return the table (P, width), row by row: the first half of the numbers tells the row, the others the column."""
    rows, columns = grid
    row_RX, column_CY = sinusoid(rows, width // 2), sinusoid(columns, width - width // 2)
    return torch.cat([row_RX.repeat_interleave(columns, dim=0), column_CY.repeat(rows, 1)], dim=1)


def interpolated(positions: Tensor, from_grid: Grid, to_grid: Grid, antialias: bool = False) -> Tensor:
    """Return the learned positions (T, D) of another grid, those of the patches bicubic between their neighbours.

    Rows of the table before those of the patches ([CLS]) stay as they are. `antialias` widens the neighbourhood when
    the grid shrinks: the DINOv2 with registers have it, the others not.
    """
    if from_grid == to_grid:
        return positions
    before = len(positions) - from_grid[0] * from_grid[1]
    assert before >= 0, f"{len(positions)} positions are fewer than the patches of {from_grid}"
    grid_1DRC = positions[before:].T.reshape(1, -1, *from_grid)
    moved_1DRC = functional.interpolate(grid_1DRC, to_grid, mode="bicubic", align_corners=False, antialias=antialias)
    return torch.cat([positions[:before], moved_1DRC.squeeze(0).flatten(1).T])
