"""Activations: values and slopes by their formulas, and softmax with and without scaling."""

import math

import pytest
import torch

from heed.errors import DataError
from heed.inspection.given import Given
from heed.inspection.topics.activations import functions, show_activations, value_and_slope


def test_values_and_slopes_follow_the_formulas(table) -> None:
    shown = show_activations(Given(matrix=((-1.5, 0.75),)))
    value = dict(zip(table(shown, "Value").names, table(shown, "Value").cells, strict=True))
    slope = dict(zip(table(shown, "Slope").names, table(shown, "Slope").cells, strict=True))
    assert value["relu"] == (0, 0.75)
    assert slope["relu"] == (0, 1)
    assert value["elu"] == pytest.approx((math.exp(-1.5) - 1, 0.75))
    assert value["gelu"] == pytest.approx(tuple(x * (1 + math.erf(x / 2**0.5)) / 2 for x in (-1.5, 0.75)), abs=1e-6)
    sigmoid = [1 / (1 + math.exp(-x)) for x in (-1.5, 0.75)]
    assert slope["sigmoid"] == pytest.approx(tuple(each * (1 - each) for each in sigmoid), abs=1e-6)


def test_slopes_are_those_of_small_steps() -> None:
    x_N, step = torch.tensor([-2.3, -0.4, 0.6, 1.9], dtype=torch.float64), 1e-6
    for function in functions().values():
        slope_N = value_and_slope(function, x_N)[1]
        steep_N = (function(x_N + step) - function(x_N - step)) / (2 * step)
        torch.testing.assert_close(slope_N, steep_N, atol=1e-6, rtol=0)


def test_scaling_keeps_the_slope_of_softmax_whatever_the_width(numbers) -> None:
    largest, slope, scaled_largest, scaled_slope = numbers(show_activations(Given()), "Softmax").T.tolist()
    assert largest == sorted(largest)
    assert slope[-1] < 0.05 < 0.15 < min(scaled_slope)
    assert max(scaled_largest) < 0.5


def test_more_numbers_than_can_be_shown_are_refused() -> None:
    with pytest.raises(DataError, match="holds 14 numbers; at most 12"):
        show_activations(Given(matrix=((1.0,) * 7,) * 2))
