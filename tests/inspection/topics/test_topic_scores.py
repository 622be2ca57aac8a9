"""The six scores on the vectors of deck 3, and on a reader's own."""

import pytest
import torch

from heed.errors import DataError
from heed.inspection.given import Given
from heed.inspection.topics.scores import show_scores

COSINE, ADDITIVE, LOCATION, GENERAL, DOT, SCALED = range(6)


def test_the_dot_scores_are_those_of_deck_3_and_the_scaled_ones_are_them_over_the_root_of_3(numbers) -> None:
    scores = numbers(show_scores(Given()), "Scores")
    assert scores[DOT].tolist() == [2, 4, 4]
    torch.testing.assert_close(scores[SCALED], scores[DOT] / 3**0.5, atol=1e-6, rtol=0)


def test_each_functions_weights_sum_to_one(numbers) -> None:
    weights = numbers(show_scores(Given()), "Weights")
    assert weights.shape == (6, 3)
    torch.testing.assert_close(weights.sum(dim=1), torch.ones(6, dtype=torch.float64), atol=1e-6, rtol=0)


def test_other_keys_change_all_scores_but_those_by_location(numbers) -> None:
    one, other = (
        numbers(show_scores(Given(matrix=((1.0, 2.0), *keys))), "Scores")
        for keys in (((3.0, 4.0), (0.5, 0.0)), ((-3.0, 1.0), (0.0, 2.0)))
    )
    assert torch.equal(one[LOCATION], other[LOCATION])
    assert all(not torch.equal(one[row], other[row]) for row in (COSINE, ADDITIVE, GENERAL, DOT, SCALED))


def test_the_cosine_is_one_for_a_key_of_the_same_direction(numbers) -> None:
    shown = show_scores(Given(matrix=((1.0, 2.0), (2.0, 4.0), (-1.0, -2.0), (2.0, -1.0))))
    assert numbers(shown, "Scores")[COSINE].tolist() == pytest.approx([1, -1, 0], abs=1e-6)


def test_a_query_without_keys_is_refused() -> None:
    with pytest.raises(DataError, match="The matrix has 1 row"):
        show_scores(Given(matrix=((1.0, 2.0),)))
