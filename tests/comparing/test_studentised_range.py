"""The studentised range: equal to scipy's, and the quantile of one mean against another is Student's t."""

import numpy as np
import pytest
from scipy import stats

from heed.comparing.studentised_range import studentised_range


@pytest.mark.parametrize(("means", "degrees"), [(2, 1), (3, 2), (7, 14), (10, 4), (5, 399)])
@pytest.mark.parametrize("chance", [0.05, 0.01])
def test_a_quantile_is_that_of_scipy(means: int, degrees: int, chance: float) -> None:
    found = studentised_range(means, degrees).quantile(np.array(chance))
    assert float(found) == pytest.approx(stats.studentized_range.isf(chance, means, degrees), rel=2e-3)


@pytest.mark.parametrize("degrees", [1, 4, 1000])
def test_the_range_of_two_means_is_student_s_t(degrees: int) -> None:
    chances = np.array([0.5, 0.1, 0.05, 0.01])
    expected = np.sqrt(2) * stats.t.isf(chances / 2, degrees)
    assert studentised_range(2, degrees).quantile(chances) == pytest.approx(expected, rel=2e-3)


def test_more_means_and_fewer_degrees_of_freedom_need_a_wider_range() -> None:
    chance = np.array(0.05)
    few, many, sure = (studentised_range(*each).quantile(chance) for each in ((3, 5), (8, 5), (8, 50)))
    assert few < many
    assert sure < many
