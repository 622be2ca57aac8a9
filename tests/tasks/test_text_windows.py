"""Windows and lanes: every token is predicted exactly once in an epoch, by the one before it."""

from collections import Counter

import numpy
import pytest

from heed.tasks.windows import Lanes, Windows, cut_windows, window_order

SIZES = [(1, 4), (4, 4), (5, 4), (23, 4), (24, 4), (25, 7), (100, 9)]


def row_of(tokens: int) -> numpy.ndarray:
    """Return ids that tell where they stand."""
    return numpy.arange(100, 100 + tokens + 1, dtype=numpy.int32)


def predicted(windows: Windows) -> list[int]:
    """Return the ids that are to be said, having checked that each follows the one that is read."""
    assert ((windows.next_ids - windows.token_ids)[windows.keep] == 1).all()
    assert windows.keep[:, :1].any() and windows.keep.any(dim=0).all(), "no column is padding alone"
    return windows.next_ids[windows.keep].tolist()


@pytest.mark.parametrize(("tokens", "longest"), SIZES)
@pytest.mark.parametrize("epoch", range(5))
def test_windows_predict_every_token_exactly_once(tokens: int, longest: int, epoch: int) -> None:
    order = window_order(tokens, longest, seed=3, epoch=epoch, rows=2)
    assert all(len(rows) == 2 for rows in order[:-1])
    said = [id for rows in order for id in predicted(cut_windows(row_of(tokens), rows, longest))]
    assert Counter(said) == Counter(range(101, 101 + tokens))


def test_windows_are_shifted_and_shuffled_by_seed_and_epoch_alone() -> None:
    orders = {
        (seed, epoch): window_order(1000, 16, seed, epoch, rows=4) for seed in (1, 2) for epoch in (0, 1, 2, 3, 4)
    }
    assert orders[1, 2] == window_order(1000, 16, seed=1, epoch=2, rows=4)
    assert len({str(order) for order in orders.values()}) == len(orders)
    shifts = {min(min(rows) for rows in order) for order in orders.values()}
    assert len(shifts) > 3
    assert shifts <= set(range(-15, 1))
    firsts = [first for rows in orders[1, 0] for first in rows]
    assert firsts != sorted(firsts)


def test_every_shift_of_a_window_comes_up() -> None:
    shifts = {min(min(rows) for rows in window_order(50, 5, seed=1, epoch=epoch, rows=3)) for epoch in range(60)}
    assert shifts == {-4, -3, -2, -1, 0}


@pytest.mark.parametrize(("tokens", "longest"), SIZES)
@pytest.mark.parametrize("wanted", [1, 2, 3, 8])
def test_lanes_predict_every_token_exactly_once(tokens: int, longest: int, wanted: int) -> None:
    lanes = Lanes(row_of(tokens), longest, wanted)
    said = [id for window in range(lanes.windows) for id in predicted(lanes.cut(window))]
    assert Counter(said) == Counter(range(101, 101 + tokens))
    assert lanes.count <= wanted


def test_a_lane_goes_on_where_its_last_window_ended() -> None:
    lanes = Lanes(row_of(23), longest=4, wanted=3)
    assert (lanes.count, lanes.length, lanes.windows) == (3, 8, 2)
    first, second = lanes.cut(0), lanes.cut(1)
    assert first.token_ids[:, 0].tolist() == [100, 108, 116]
    assert second.token_ids[:, 0].tolist() == first.next_ids[:, -1].tolist()
    assert second.keep.tolist() == [[True] * 4, [True] * 4, [True] * 3 + [False]]


def test_a_short_row_has_fewer_lanes_than_wanted_and_at_least_one() -> None:
    assert Lanes(row_of(11), longest=4, wanted=8).count == 2
    assert Lanes(row_of(3), longest=4, wanted=8).count == 1
