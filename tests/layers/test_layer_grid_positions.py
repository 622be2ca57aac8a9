"""Positions on a grid: rows and columns told apart, and a table that is read on another grid."""

import pytest
import torch

from heed.layers.grid_positions import grid_sinusoid, interpolated
from heed.layers.positions import sinusoid


@pytest.mark.parametrize("width", [6, 8, 9])
def test_half_of_a_position_tells_the_row_and_the_other_half_the_column(width: int) -> None:
    table = grid_sinusoid((2, 3), width).unflatten(0, (2, 3))
    half = width // 2
    for row in range(2):
        for column in range(3):
            assert torch.equal(table[row, column, :half], sinusoid(2, half)[row])
            assert torch.equal(table[row, column, half:], sinusoid(3, width - half)[column])


def test_every_place_of_a_grid_has_a_position_of_its_own() -> None:
    assert len(grid_sinusoid((14, 14), 32).unique(dim=0)) == 196


def test_the_same_grid_has_the_same_table() -> None:
    table = torch.randn(7, 4)
    assert interpolated(table, (2, 3), (2, 3)) is table


@pytest.mark.parametrize("antialias", [False, True])
def test_rows_before_the_patches_stay_as_they_are(antialias: bool) -> None:
    torch.manual_seed(1)
    table = torch.randn(1 + 2 * 3, 4)
    moved = interpolated(table, (2, 3), (5, 4), antialias)
    assert moved.shape == (1 + 5 * 4, 4)
    assert torch.equal(moved[0], table[0])


@pytest.mark.parametrize("antialias", [False, True])
def test_a_table_that_is_the_same_everywhere_stays_so(antialias: bool) -> None:
    table = torch.tensor([[2.0, -3.0]]).repeat(9, 1)
    torch.testing.assert_close(interpolated(table, (3, 3), (5, 2), antialias), table[:1].repeat(10, 1))


def test_what_rises_along_the_columns_rises_along_those_of_another_grid_and_rows_stay_equal() -> None:
    columns = torch.arange(4.0).repeat(3)[:, None]  # 3 rows, 4 columns
    moved = interpolated(columns, (3, 4), (6, 8)).view(6, 8)
    assert (moved.diff(dim=1) > 0).all()
    torch.testing.assert_close(moved, moved[:1].expand(6, 8))


def test_a_table_too_short_for_its_grid_is_our_mistake() -> None:
    with pytest.raises(AssertionError, match="5 positions are fewer"):
        interpolated(torch.zeros(5, 2), (2, 3), (3, 3))
