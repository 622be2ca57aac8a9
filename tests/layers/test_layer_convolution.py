"""Filters over windows, on numbers that a person can follow: which windows count, and what a short text sees."""

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from heed.layers.convolution import WindowFilters
from heed.layers.masks import keep_from_lengths

JUNK = 1000.0  # stands in padding: a window that reads it would win


def pair_filters() -> WindowFilters:
    """Return two filters over two words of one number each: their difference, and their sum less 10."""
    filters = WindowFilters(input_width=1, window=2, filters=2)
    with torch.no_grad():
        filters.weight.copy_(torch.tensor([[[-1.0], [1.0]], [[1.0], [1.0]]]))
        filters.bias.copy_(torch.tensor([0.0, -10.0]))
    return filters


def answered(numbers: list[list[float]], lengths: list[int], filters: WindowFilters) -> list[list[float]]:
    x_BT1 = torch.tensor(numbers)[..., None]
    return filters(x_BT1, keep_from_lengths(torch.tensor(lengths), x_BT1.shape[1])).tolist()


def test_a_filter_answers_for_its_best_window_and_never_below_zero() -> None:
    # Differences 3, -2, 4 and sums 5, 6, 8, of which 10 is taken; then differences -1, -2, -3 and sums 17, 14, 9.
    numbers = [[1.0, 4.0, 2.0, 6.0], [9.0, 8.0, 6.0, 3.0]]
    assert answered(numbers, [4, 4], pair_filters()) == [[4.0, 0.0], [0.0, 7.0]]


def test_a_window_that_reaches_into_padding_does_not_count() -> None:
    assert answered([[1.0, 4.0, 2.0, JUNK], [9.0, 8.0, JUNK, JUNK]], [3, 2], pair_filters()) == [[3.0, 0.0], [0.0, 7.0]]


@pytest.mark.parametrize("numbers", [[[-12.0]], [[-12.0, JUNK, JUNK]]], ids=["alone", "padded"])
def test_a_text_shorter_than_the_window_is_followed_by_zeros_of_its_own(numbers: list[list[float]]) -> None:
    # The only window is (-12, 0): difference 12, sum -12.
    assert answered(numbers, [1], pair_filters()) == [[12.0, 0.0]]


def test_a_short_text_among_long_ones_sees_its_own_zeros_and_leaves_them_alone() -> None:
    numbers = [[1.0, 4.0, 2.0], [-12.0, JUNK, JUNK]]
    assert answered(numbers, [3, 1], pair_filters()) == [[3.0, 0.0], [12.0, 0.0]]


@pytest.mark.parametrize("window", [1, 2, 3, 7])
def test_answers_equal_those_of_windows_written_out_one_by_one(window: int) -> None:
    torch.manual_seed(0)
    filters = WindowFilters(input_width=3, window=window, filters=5).double()
    torch.nn.init.normal_(filters.bias)
    x_BTE, lengths = torch.randn(4, 6, 3, dtype=torch.float64), [6, 1, 2, 4]
    actual_BF = filters(x_BTE, keep_from_lengths(torch.tensor(lengths), 6))
    for row, length in enumerate(lengths):
        torch.testing.assert_close(actual_BF[row], by_hand(x_BTE[row, :length], filters), atol=1e-12, rtol=0.0)


def by_hand(text_TE: Tensor, filters: WindowFilters) -> Tensor:
    missing = max(filters.window - len(text_TE), 0)
    padded_TE = torch.cat([text_TE, text_TE.new_zeros(missing, text_TE.shape[1])])
    windows = [padded_TE[at : at + filters.window] for at in range(len(padded_TE) - filters.window + 1)]
    answers = [(filters.weight * window_WE).sum(dim=(1, 2)) + filters.bias for window_WE in windows]
    return functional.relu(torch.stack(answers).amax(dim=0))


def test_only_the_winning_window_learns() -> None:
    x_BT1 = torch.tensor([[[1.0], [4.0], [2.0], [6.0]]]).requires_grad_()
    pair_filters()(x_BT1, torch.ones(1, 4, dtype=torch.bool))[0, 0].backward()
    assert x_BT1.grad.flatten().tolist() == [0.0, 0.0, -1.0, 1.0]
