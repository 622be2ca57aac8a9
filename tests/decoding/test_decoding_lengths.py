"""The penalties by hand, and the bound as a law."""

import math

import pytest
from hypothesis import given
from hypothesis import settings as trials
from hypothesis import strategies as st

from heed.decoding.lengths import penalty


def test_the_mean_is_the_log_of_the_root_of_the_product():
    total = math.log(0.5 * 0.4 * 0.4 * 0.6)
    assert math.exp(total / penalty("mean", 0.6, 4)) == pytest.approx(0.048**0.25)


def test_gnmt_is_equation_14_of_wu_et_al():
    assert penalty("gnmt", 0.6, 7) == pytest.approx((5 + 7) ** 0.6 / (5 + 1) ** 0.6)
    assert penalty("gnmt", 0.6, 1) == 1.0


@trials(deadline=None)
@given(st.integers(1, 100))
def test_none_and_gnmt_with_alpha_zero_change_nothing(length):
    assert penalty("none", 0.6, length) == penalty("gnmt", 0.0, length) == 1.0


@trials(deadline=None)
@given(
    st.sampled_from(["none", "mean", "gnmt"]),
    st.floats(0, 3),
    st.lists(st.floats(-30, 0, width=32), min_size=1, max_size=12),
    st.lists(st.floats(-30, 0, width=32), max_size=12),
    st.integers(0, 12),
)
def test_no_continuation_scores_above_the_bound(normalisation, alpha, so_far, more, spare):
    longest = len(so_far) + len(more) + spare
    total = 0.0
    for log_prob in so_far:
        total += log_prob
    bound = total / penalty(normalisation, alpha, longest)
    for length, log_prob in enumerate(more, start=len(so_far) + 1):
        total += log_prob
        assert total / penalty(normalisation, alpha, length) <= bound
