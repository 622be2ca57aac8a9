"""Learning rates by hand: at the start, after the warm-up, in the middle and at the end."""

import math
from typing import get_args

import pytest

from heed.training.schedules import FLOOR, learning_rate
from heed.training.settings import ScheduleName

ALL = get_args(ScheduleName)


@pytest.mark.parametrize("schedule", ALL)
def test_every_schedule_rises_in_a_line_from_zero_to_the_peak(schedule: ScheduleName) -> None:
    assert learning_rate(schedule, 2.0, 0.2, 0.0) == 0
    assert learning_rate(schedule, 2.0, 0.2, 0.05) == pytest.approx(0.5)
    assert learning_rate(schedule, 2.0, 0.2, 0.2) == pytest.approx(2.0)


@pytest.mark.parametrize("schedule", ALL)
def test_without_a_warm_up_the_first_rate_is_the_peak(schedule: ScheduleName) -> None:
    assert learning_rate(schedule, 2.0, 0.0, 0.0) == 2.0


def test_linear_is_half_the_peak_in_the_middle_of_its_fall() -> None:
    assert learning_rate("linear", 2.0, 0.2, 0.6) == pytest.approx(1.0)


def test_cosine_is_the_value_worked_by_hand() -> None:
    # A quarter of the fall is left at 0.8: (1 - cos(pi / 4)) / 2 = 0.1464.
    assert learning_rate("cosine", 1.0, 0.2, 0.8) == pytest.approx(0.146447, abs=1e-6)
    assert learning_rate("cosine", 1.0, 0.2, 0.6) == pytest.approx(0.5)


def test_inverse_square_root_is_halved_at_four_times_the_warm_up() -> None:
    assert learning_rate("inverse-sqrt", 3.0, 0.2, 0.8) == pytest.approx(1.5)


def test_constant_stays_at_the_peak() -> None:
    assert learning_rate("constant", 3.0, 0.1, 1.0) == 3.0


@pytest.mark.parametrize("schedule", ["linear", "cosine"])
def test_the_last_step_still_learns(schedule: ScheduleName) -> None:
    assert learning_rate(schedule, 2.0, 0.1, 1.0) == pytest.approx(2.0 * FLOOR)
    # A time budget may be overrun by a step.
    assert learning_rate(schedule, 2.0, 0.1, 1.3) == pytest.approx(2.0 * FLOOR)


@pytest.mark.parametrize("schedule", ALL)
@pytest.mark.parametrize("warmup", [0.0, 0.06, 0.5])
def test_a_rate_never_rises_after_the_warm_up_nor_falls_during_it(schedule: ScheduleName, warmup: float) -> None:
    rates = [learning_rate(schedule, 1.0, warmup, progress / 200) for progress in range(201)]
    peak = math.ceil(warmup * 200)
    assert rates[: peak + 1] == sorted(rates[: peak + 1])
    assert rates[peak:] == sorted(rates[peak:], reverse=True)
    assert max(rates) <= 1.0
