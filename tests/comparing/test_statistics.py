"""Gaps between models: right as often as promised in simulations, for all gaps of a comparison at once."""

from collections.abc import Sequence

import numpy as np
import pytest
from gap_error_rates import Simulate, accuracies, any_real, bleus, error_rates, spearmans
from scipy import stats

from heed.comparing.statistics import (
    Difference,
    Interval,
    differences,
    interval_over_seeds,
    spread_of_means,
    spread_of_scores,
)

MOST = 0.06  # of comparisons of equal models that may call any gap real


def gap_of(*models: np.ndarray) -> Difference:
    """Return the gap of the first model to the second."""
    return differences(spread_of_means(models))[0][1]


def rights(
    generator: np.random.Generator, texts: int, runs: Sequence[int], shares: Sequence[float]
) -> list[np.ndarray]:
    """Return whether each run (S, N) of each model is right; the easy texts are the same for all."""
    ease_N = generator.random(texts)
    return [
        ease_N + generator.normal(0, 0.1, size=(count, texts)) < share
        for count, share in zip(runs, shares, strict=True)
    ]


@pytest.mark.parametrize(("runs", "luck"), [(1, 0.0), (3, 0.0), (3, 0.1), (3, 0.4)])
@pytest.mark.parametrize("models", [2, 4, 7, 10])
def test_of_equal_models_no_gap_is_called_real_more_than_one_time_in_twenty(
    models: int, runs: int, luck: float
) -> None:
    generator = np.random.default_rng(17)
    found = [any_real(differences(accuracies(generator, 200, [runs] * models, luck))) for _ in range(250)]
    assert np.mean(found) <= MOST


@pytest.mark.slow
@pytest.mark.parametrize("runs", [1, 2, 3, 5])
@pytest.mark.parametrize("luck", [0.0, 0.05, 0.1, 0.4])
@pytest.mark.parametrize("models", [2, 3, 4, 5, 7, 10])
def test_of_equal_models_no_gap_is_called_real_more_often_than_promised_at_length(
    models: int, luck: float, runs: int
) -> None:
    if runs == 1 and luck:
        pytest.skip(
            "runs of unequal luck are not equal, and one run says nothing of luck: such gaps are not called real"
        )
    assert error_rates(accuracies, 400, [runs] * models, luck, comparisons=1000)[1] <= MOST


@pytest.mark.slow
@pytest.mark.parametrize("simulate", [spearmans, bleus])
@pytest.mark.parametrize("luck", [0.0, 0.1])
@pytest.mark.parametrize("models", [2, 5])
def test_scores_that_are_no_means_are_called_real_no_more_often(simulate: Simulate, models: int, luck: float) -> None:
    generator = np.random.default_rng(17)
    found = [any_real(differences(simulate(generator, 100, [3] * models, luck, 0.0))) for _ in range(120)]
    assert np.mean(found) <= MOST


def test_a_model_that_uses_no_seed_may_stand_among_those_that_do() -> None:
    generator = np.random.default_rng(5)
    found = [any_real(differences(accuracies(generator, 200, [1, 3, 3, 3], 0.0))) for _ in range(250)]
    assert 0.005 <= np.mean(found) <= MOST


@pytest.mark.parametrize(("models", "least"), [(2, 0.9), (7, 0.8)])
def test_five_points_of_accuracy_are_found_with_three_seeds(models: int, least: float) -> None:
    assert error_rates(accuracies, 400, [3] * models, 0.05, comparisons=60)[2] >= least


@pytest.mark.parametrize("runs", [(1, 1), (3, 3), (1, 3)])
def test_two_points_on_ten_thousand_texts_are_found(runs: tuple[int, int]) -> None:
    gap = gap_of(*rights(np.random.default_rng(3), 10_000, runs, (0.72, 0.7)))
    assert gap.mean == pytest.approx(0.02, abs=0.005)
    assert 0 < gap.low < gap.mean < gap.high < 0.04
    assert gap.p_value <= 0.002
    assert gap.real


def test_a_gap_counts_for_less_among_more_models() -> None:
    generator = np.random.default_rng(1)
    better_SN, worse_SN = rights(generator, 1000, (3, 3), (0.92, 0.9))
    others = rights(generator, 1000, (3,) * 6, (0.91,) * 6)
    alone, among = gap_of(better_SN, worse_SN), gap_of(better_SN, worse_SN, *others)
    assert among.mean == alone.mean
    assert among.p_value > 2 * alone.p_value
    assert among.high - among.low > alone.high - alone.low


@pytest.mark.parametrize("runs", [1, 3])
def test_a_gap_is_real_just_where_its_interval_leaves_zero_out_and_its_chance_is_below_one_in_twenty(runs: int) -> None:
    generator = np.random.default_rng(2)
    gaps = [
        gap
        for _ in range(40)
        for row in differences(accuracies(generator, 100, [runs] * 4, 0.05, lead=0.3))
        for gap in row
    ]
    assert {gap.real for gap in gaps} == {True, False}
    for gap in gaps:
        assert gap.real == (gap.low > 0 or gap.high < 0) == (gap.p_value < 0.05)


def test_the_difference_is_that_of_the_means_and_turns_with_the_sides() -> None:
    first_SN, second_SN = np.array([[1, 1, 0, 1], [1, 0, 0, 1]]), np.array([[1, 0, 0, 0]])
    gaps = differences(spread_of_means([first_SN, second_SN]))
    forth, back = gaps[0][1], gaps[1][0]
    assert forth.mean == 5 / 8 - 1 / 4
    assert back.mean == -forth.mean
    assert (back.low, back.high) == pytest.approx((-forth.high, -forth.low))
    assert back.p_value == forth.p_value


def test_equal_runs_are_not_different() -> None:
    runs_SN = np.random.default_rng(0).random((3, 50)) < 0.8
    gap = gap_of(runs_SN, runs_SN)
    assert (gap.mean, gap.p_value, gap.real) == (0, 1, False)


@pytest.mark.parametrize("texts", [1, 2, 4])
def test_a_few_texts_that_all_differ_one_way_prove_nothing(texts: int) -> None:
    assert not gap_of(np.ones((1, texts)), np.zeros((1, texts))).real


def test_four_texts_of_many_that_differ_all_in_favour_of_one_model_prove_nothing() -> None:
    # Of four coins that show one side, every eighth throw has four alike.
    worse_1N = np.ones((1, 500))
    worse_1N[0, :4] = 0
    assert gap_of(np.ones((1, 500)), worse_1N).p_value > 0.05


def test_texts_are_the_same_for_all_models() -> None:
    # Both are wrong on the same half; a few texts decide. Drawn apart, the halves would hide it.
    first_N = np.arange(1000) % 2 == 0
    second_N = first_N.copy()
    second_N[:40:2] = False
    gap = gap_of(first_N[None], second_N[None])
    assert gap.mean == pytest.approx(0.02)
    assert gap.real
    assert gap.high - gap.low < 0.02


def test_runs_that_vary_by_seed_make_the_interval_wider() -> None:
    generator = np.random.default_rng(4)
    steady, shaky = (differences(accuracies(generator, 2000, [3, 3], luck, lead=0.1))[0][1] for luck in (0.0, 0.3))
    assert shaky.high - shaky.low > 2 * (steady.high - steady.low)


def test_a_model_whose_seeds_vary_more_than_those_of_others_has_wider_intervals() -> None:
    generator = np.random.default_rng(6)
    steady = rights(generator, 2000, (3, 3, 3), (0.9, 0.9, 0.9))
    shaky_SN = np.concatenate(rights(generator, 2000, (1, 1, 1), (0.85, 0.9, 0.95)))
    gaps = differences(spread_of_means([*steady, shaky_SN]))
    assert gaps[0][3].high - gaps[0][3].low > 1.2 * (gaps[0][1].high - gaps[0][1].low)


def test_the_interval_of_one_run_each_is_that_of_the_normal_distribution() -> None:
    first_SN, second_SN = rights(np.random.default_rng(6), 2000, (1, 1), (0.9, 0.9))
    gap = gap_of(first_SN, second_SN)
    gaps_N = first_SN[0].astype(float) - second_SN[0]
    half_width = 1.96 * gaps_N.std() / np.sqrt(2000)
    assert gap.low == pytest.approx(gaps_N.mean() - half_width, rel=0.02)
    assert gap.high == pytest.approx(gaps_N.mean() + half_width, rel=0.02)


def test_with_many_seeds_and_no_difference_by_texts_the_gap_is_tukey_s() -> None:
    generator = np.random.default_rng(8)
    scores = [generator.normal(mean, 1.0, size=30) for mean in (0.0, 0.6, 0.3)]
    # Every text has the score of its run, so that all variance is between runs.
    found = differences(spread_of_means([np.repeat(each_S[:, None], 3000, axis=1) for each_S in scores]))
    expected = stats.tukey_hsd(*scores)
    chances = [found[0][1].p_value, found[0][2].p_value]
    assert chances == pytest.approx([expected.pvalue[0, 1], expected.pvalue[0, 2]], abs=0.06)


def test_the_same_seed_gives_the_same_difference() -> None:
    spreads = [spearmans(np.random.default_rng(7), 60, [2, 2], 0.1) for _ in range(2)]
    assert differences(spreads[0]) == differences(spreads[1])


def test_squared_errors_are_compared_in_the_same_way() -> None:
    errors_SN = np.random.default_rng(8).random((2, 300))
    gap = gap_of(errors_SN, errors_SN * 0.8)
    assert gap.mean == pytest.approx(0.2 * errors_SN.mean())
    assert gap.real


def test_a_mean_given_as_a_score_agrees_with_the_mean_itself() -> None:
    models = rights(np.random.default_rng(9), 800, (3, 2), (0.92, 0.9))
    expected = gap_of(*models)
    scores = [runs_SN[:, :, None] for runs_SN in models]
    found = differences(spread_of_scores(scores, lambda right_N1: float(right_N1.mean()), resamples=2000))[0][1]
    assert found.mean == pytest.approx(expected.mean)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=0.004)
    assert found.real == expected.real


def test_a_correlation_is_compared_over_the_same_texts() -> None:
    generator = np.random.default_rng(10)
    expected_N = generator.normal(size=400)
    near, far = (
        np.stack([expected_N + spread * generator.normal(size=400), expected_N], axis=1) for spread in (0.5, 1.5)
    )
    models = [near[None], far[None]]
    gap = differences(spread_of_scores(models, lambda pairs_N2: float(np.corrcoef(pairs_N2.T)[0, 1]), 300))[0][1]
    assert gap.mean == pytest.approx(np.corrcoef(near.T)[0, 1] - np.corrcoef(far.T)[0, 1])
    assert gap.real


@pytest.mark.parametrize("values", [[0.9, 0.92], [0.5, 0.7, 0.6, 0.9]])
def test_the_interval_over_seeds_is_that_of_student(values: list[float]) -> None:
    interval = interval_over_seeds(values)
    low, high = stats.t.interval(0.95, len(values) - 1, np.mean(values), stats.sem(values))
    assert (interval.mean, interval.low, interval.high) == pytest.approx((np.mean(values), low, high))


def test_one_seed_gives_no_interval() -> None:
    assert interval_over_seeds([0.25]) == Interval(0.25, None, None)


def test_seeds_that_agree_give_an_interval_without_width() -> None:
    assert interval_over_seeds([0.5, 0.5, 0.5]) == Interval(0.5, 0.5, 0.5)
