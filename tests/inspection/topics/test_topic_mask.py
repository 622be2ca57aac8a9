"""The causal mask on deck 1's matrix and on a reader's own."""

import pytest
import torch

from heed.errors import DataError
from heed.inspection.given import Given
from heed.inspection.topics.mask import show_mask


def test_the_weights_are_those_of_deck_1_where_it_has_them_and_the_right_ones_where_not(numbers) -> None:
    shown = show_mask(Given())
    expected = torch.tensor(
        [
            [1.0, 0.0, 0.0, 0.0, 0.0],
            [0.6900, 0.3100, 0.0, 0.0, 0.0],
            [0.1547, 0.3805, 0.4648, 0.0, 0.0],
            [0.0900, 0.2988, 0.5445, 0.0667, 0.0],
            [0.2097, 0.2562, 0.0314, 0.1898, 0.3129],
        ]
    )
    weights = numbers(shown, "Weights")
    torch.testing.assert_close(weights[:, :-1], expected.double(), atol=5e-5, rtol=0)
    assert any("0.0900 0.2988 0.5445 0.0667" in correction for correction in shown.corrections)


def test_what_comes_later_has_no_weight_and_rows_sum_to_one(numbers) -> None:
    rows = tuple(tuple(float(3 * row - column) for column in range(4)) for row in range(4))
    weights = numbers(show_mask(Given(matrix=rows)), "Weights")
    assert torch.equal(weights[:, :4].triu(1), torch.zeros(4, 4, dtype=torch.float64))
    assert weights[:, 4].tolist() == pytest.approx([1] * 4)


def test_what_the_mask_hides_is_written_as_nothing(table) -> None:
    cells = table(show_mask(Given(matrix=((1.0, 2.0), (3.0, 4.0)))), "Scores").cells
    assert cells == ((1.0, None), (3.0, 4.0))


def test_a_matrix_that_is_not_square_is_refused() -> None:
    with pytest.raises(DataError, match="has 2 rows and 3 columns"):
        show_mask(Given(matrix=((1.0, 2.0, 3.0), (4.0, 5.0, 6.0))))
