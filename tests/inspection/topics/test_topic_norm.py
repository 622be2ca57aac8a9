"""Batch norm against layer norm: what padding and companions change."""

import pytest
import torch

from heed.errors import DataError
from heed.inspection.given import Given
from heed.inspection.topics.norm import normalised, padded, show_norm

TEXT, COMPANION = torch.tensor([[1.0, 5.0, 2.0], [0.0, 3.0, 7.0]]), torch.tensor([[4.0, 1.0, 1.0]])


def test_layer_norm_does_not_depend_on_padding_or_companions_and_batch_norm_does(numbers) -> None:
    changes = numbers(show_norm(Given()), "Largest change")
    layer, real, counted = changes.tolist()
    assert layer == [0, 0]
    assert real[0] == 0
    assert min(real[1], *counted) > 0.1


def test_layer_norm_leaves_each_token_with_mean_0_and_spread_1() -> None:
    x_BTD, keep = padded(TEXT, COMPANION)
    tokens_ND = normalised("layer", x_BTD, keep)[keep]
    torch.testing.assert_close(tokens_ND.mean(dim=1), torch.zeros(3), atol=1e-5, rtol=0)
    torch.testing.assert_close(tokens_ND.std(dim=1, unbiased=False), torch.ones(3), atol=1e-4, rtol=0)


def test_batch_norm_leaves_each_number_with_mean_0_over_the_real_tokens_only() -> None:
    x_BTD, keep = padded(TEXT, COMPANION, more=2)
    assert normalised("batch", x_BTD, keep)[keep].mean(dim=0).tolist() == pytest.approx([0] * 3, abs=1e-5)
    assert normalised("batch", x_BTD, None)[keep].mean(dim=0).abs().min() > 0.1


def test_a_token_of_equal_numbers_becomes_zeros_not_an_error(numbers) -> None:
    assert numbers(show_norm(Given()), "Text 1 after layer norm")[2].tolist() == [0, 0, 0, 0]


def test_padding_stands_behind_each_text() -> None:
    x_BTD, keep = padded(TEXT, COMPANION, more=1)
    assert keep.tolist() == [[True, True, False], [True, False, False]]
    assert x_BTD[~keep].abs().sum() == 0


def test_a_readers_own_text_has_its_first_row_backwards_for_a_companion(numbers) -> None:
    shown = show_norm(Given(matrix=((1.0, 2.0), (3.0, 5.0))))
    assert numbers(shown, "Text 2").tolist() == [[2, 1]]
    assert numbers(shown, "Text 1 after layer norm")[1].tolist() == pytest.approx([-1, 1], abs=1e-4)


def test_tokens_of_one_number_are_refused() -> None:
    with pytest.raises(DataError, match=r"has 1 number\. Give at least 2"):
        show_norm(Given(matrix=((1.0,), (2.0,))))
