"""Differences between models: equal to scipy where it has the test, and right as often as promised in simulations."""

import dataclasses

import numpy as np
import pytest
from scipy import stats

from heed.comparing.statistics import (
    Interval,
    holm,
    interval_over_seeds,
    paired_difference,
    paired_score_difference,
)

# Simulated runs: whether a text is right depends on the text, on the model, on the seed and on chance, each in units
# of the first. About nine texts in ten are right.
EASE, MODEL, CHANCE = 1.5, 0.4, 0.5


def simulate(
    generator: np.random.Generator, texts: int, runs: tuple[int, int], seeds: float, gap: float = 0.0
) -> list[np.ndarray]:
    """Return whether each run (S, N) of two models is right; `seeds` is the spread of what a seed is worth."""
    ease_N = generator.normal(EASE, 1.0, size=texts)
    sides = []
    for count, lead in zip(runs, (gap, 0.0), strict=True):
        model_N = ease_N + lead + generator.normal(0, MODEL, size=texts)
        luck_S1 = generator.normal(0, seeds, size=(count, 1))
        sides.append(model_N + luck_S1 + generator.normal(0, CHANCE, size=(count, texts)) > 0)
    return sides


def share_called_real(runs: tuple[int, int], seeds: float, comparisons: int = 300) -> float:
    generator = np.random.default_rng(17)
    found = [
        paired_difference(*simulate(generator, 400, runs, seeds), resamples=400, seed=number).real
        for number in range(comparisons)
    ]
    return float(np.mean(found))


@pytest.mark.parametrize(("runs", "seeds"), [((1, 1), 0.0), ((3, 3), 0.05), ((3, 3), 0.4), ((1, 4), 0.0)])
def test_without_a_difference_about_one_comparison_in_twenty_is_called_real(
    runs: tuple[int, int], seeds: float
) -> None:
    assert 0.02 <= share_called_real(runs, seeds) <= 0.09


@pytest.mark.parametrize("runs", [(1, 1), (3, 3), (1, 3)])
def test_two_points_on_ten_thousand_texts_are_found(runs: tuple[int, int]) -> None:
    generator = np.random.default_rng(3)
    better_SN, worse_SN = simulate(generator, 10_000, runs, seeds=0.01, gap=0.13)
    difference = paired_difference(better_SN, worse_SN)
    assert difference.mean == pytest.approx(0.02, abs=0.01)
    assert 0 < difference.low < difference.mean < difference.high < 0.04
    assert difference.p_value <= 0.002
    assert difference.real


def test_the_difference_is_that_of_the_means_and_turns_with_the_sides() -> None:
    first_SN, second_SN = np.array([[1, 1, 0, 1], [1, 0, 0, 1]]), np.array([[1, 0, 0, 0]])
    forth, back = paired_difference(first_SN, second_SN), paired_difference(second_SN, first_SN)
    assert forth.mean == 5 / 8 - 1 / 4
    assert back.mean == -forth.mean
    assert (back.low, back.high) == pytest.approx((-forth.high, -forth.low))
    assert back.p_value == forth.p_value


def test_equal_runs_are_not_different() -> None:
    runs_SN = np.random.default_rng(0).random((3, 50)) < 0.8
    difference = paired_difference(runs_SN, runs_SN)
    assert difference.mean == 0
    assert not difference.real
    assert paired_difference(runs_SN[:1], runs_SN[:1]).p_value == 1


def test_texts_are_drawn_for_both_models_together() -> None:
    # Both are wrong on the same half; one more text decides. Drawn apart, the halves would hide it.
    first_N = np.arange(1000) % 2 == 0
    second_N = first_N.copy()
    second_N[:40:2] = False
    difference = paired_difference(first_N[None], second_N[None])
    assert difference.mean == pytest.approx(0.02)
    assert difference.real
    assert difference.high - difference.low < 0.02


def test_runs_that_vary_by_seed_make_the_interval_wider() -> None:
    generator = np.random.default_rng(4)
    steady = paired_difference(*simulate(generator, 2000, (3, 3), seeds=0.0, gap=0.1))
    shaky = paired_difference(*simulate(generator, 2000, (3, 3), seeds=0.3, gap=0.1))
    assert shaky.high - shaky.low > 2 * (steady.high - steady.low)


def test_a_model_that_says_the_same_for_every_seed_is_worth_one_run() -> None:
    first_SN, second_SN = simulate(np.random.default_rng(5), 500, (1, 3), seeds=0.1)
    thrice = paired_difference(first_SN.repeat(3, axis=0), second_SN)
    assert dataclasses.astuple(thrice) == pytest.approx(dataclasses.astuple(paired_difference(first_SN, second_SN)))


def test_the_interval_of_one_run_each_is_about_that_of_the_normal_distribution() -> None:
    first_SN, second_SN = simulate(np.random.default_rng(6), 2000, (1, 1), seeds=0.0)
    difference = paired_difference(first_SN, second_SN)
    gaps_N = first_SN[0].astype(float) - second_SN[0]
    half_width = 1.96 * gaps_N.std() / np.sqrt(2000)
    assert difference.low == pytest.approx(gaps_N.mean() - half_width, abs=0.0015)
    assert difference.high == pytest.approx(gaps_N.mean() + half_width, abs=0.0015)


def test_the_same_seed_gives_the_same_difference() -> None:
    sides = simulate(np.random.default_rng(7), 100, (2, 3), seeds=0.1)
    assert paired_difference(*sides, seed=1) == paired_difference(*sides, seed=1)
    assert paired_difference(*sides, seed=1) != paired_difference(*sides, seed=2)


def test_squared_errors_are_compared_in_the_same_way() -> None:
    errors_SN = np.random.default_rng(8).random((2, 300))
    difference = paired_difference(errors_SN, errors_SN * 0.8)
    assert difference.mean == pytest.approx(0.2 * errors_SN.mean())
    assert difference.real


def test_a_mean_given_as_a_score_agrees_with_the_mean_itself() -> None:
    first_SN, second_SN = simulate(np.random.default_rng(9), 800, (3, 2), seeds=0.1, gap=0.2)
    expected = paired_difference(first_SN, second_SN, resamples=2000)
    found = paired_score_difference(
        first_SN[:, :, None], second_SN[:, :, None], lambda right_N1: float(right_N1.mean()), resamples=2000
    )
    assert found.mean == expected.mean
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=0.006)
    assert found.real == expected.real


def test_a_correlation_is_compared_over_the_same_texts() -> None:
    generator = np.random.default_rng(10)
    expected_N = generator.normal(size=400)
    near, far = (
        np.stack([expected_N + spread * generator.normal(size=400), expected_N], axis=1) for spread in (0.5, 1.5)
    )
    difference = paired_score_difference(
        near[None], far[None], lambda pairs_N2: float(np.corrcoef(pairs_N2.T)[0, 1]), resamples=300
    )
    assert difference.mean == pytest.approx(np.corrcoef(near.T)[0, 1] - np.corrcoef(far.T)[0, 1])
    assert difference.real


@pytest.mark.parametrize("values", [[0.9, 0.92], [0.5, 0.7, 0.6, 0.9]])
def test_the_interval_over_seeds_is_that_of_student(values: list[float]) -> None:
    interval = interval_over_seeds(values)
    low, high = stats.t.interval(0.95, len(values) - 1, np.mean(values), stats.sem(values))
    assert (interval.mean, interval.low, interval.high) == pytest.approx((np.mean(values), low, high))


def test_one_seed_gives_no_interval() -> None:
    assert interval_over_seeds([0.25]) == Interval(0.25, None, None)


def test_seeds_that_agree_give_an_interval_without_width() -> None:
    assert interval_over_seeds([0.5, 0.5, 0.5]) == Interval(0.5, 0.5, 0.5)


def test_holm_is_the_value_worked_by_hand() -> None:
    # Sorted: 0.01 * 4, 0.02 * 3, 0.03 * 2 (not below the one before), 0.5 * 1.
    assert holm([0.03, 0.01, 0.5, 0.02]) == pytest.approx([0.06, 0.04, 0.5, 0.06])


def test_holm_leaves_one_alone_none_empty_and_nothing_above_one() -> None:
    assert holm([0.04]) == [0.04]
    assert holm([]) == []
    assert holm([0.6, 0.7]) == [1.0, 1.0]
