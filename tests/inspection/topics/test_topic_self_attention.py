"""Self-attention step by step: deck 3's numbers, deck 1's that are wrong, and a reader's own."""

import pytest
import torch

from heed.errors import UsageError
from heed.inspection.given import Given
from heed.inspection.topics.self_attention import attend, deck_1, show_self_attention


def test_scores_and_outputs_are_those_of_deck_3(numbers) -> None:
    shown = show_self_attention(Given())
    assert numbers(shown, "6. Scores").tolist() == [[2, 4, 4], [4, 16, 12], [4, 12, 10]]
    expected = torch.tensor([[1.9366, 6.6831, 1.5951], [2.0000, 7.9640, 0.0540], [1.9997, 7.7599, 0.3584]]).double()
    torch.testing.assert_close(numbers(shown, "8. Outputs"), expected, atol=1e-4, rtol=0)


def test_the_first_output_is_the_sum_that_is_written_out(numbers) -> None:
    shown = show_self_attention(Given())
    *shares, total = numbers(shown, "The first output")
    torch.testing.assert_close(torch.stack(shares).sum(dim=0), total)
    torch.testing.assert_close(total, numbers(shown, "8. Outputs")[0], atol=1e-5, rtol=0)


def test_deck_1_has_its_first_output_right_and_the_other_two_wrong() -> None:
    outputs = attend(deck_1(), scaled=True).outputs_TK
    torch.testing.assert_close(outputs[0], torch.tensor([0.7, 0.9, 0.7]), atol=0.05, rtol=0)
    # The deck has 0.3 0.6 0.3 and 0 0 0.
    torch.testing.assert_close(outputs[1], torch.tensor([0.39, 0.78, 0.39]), atol=0.005, rtol=0)
    torch.testing.assert_close(outputs[2], torch.tensor([0.33, 0.67, 0.33]), atol=0.005, rtol=0)
    assert any("0.39 0.78 0.39" in correction for correction in show_self_attention(Given()).corrections)


@pytest.mark.parametrize("width", [2, 4])
def test_rows_of_a_readers_own_matrix_are_weighted_to_one(width: int, numbers) -> None:
    rows = tuple(tuple(float(row + column) for column in range(width)) for row in range(5))
    shown = show_self_attention(Given(matrix=rows))
    weights = numbers(shown, "7. Weights")
    assert weights.shape == (5, 5)
    torch.testing.assert_close(weights.sum(dim=1), torch.ones(5, dtype=torch.float64), atol=1e-6, rtol=0)
    assert shown.corrections == ()


def test_a_readers_words_name_the_rows_and_the_same_word_has_the_same_output(table, numbers) -> None:
    shown = show_self_attention(Given(texts=("tôi yêu tôi",)))
    assert table(shown, "8. Outputs").names == ("tôi", "yêu", "tôi")
    outputs = numbers(shown, "8. Outputs")
    assert torch.equal(outputs[0], outputs[2])


def test_words_name_the_rows_of_a_matrix_when_there_is_one_for_each(table) -> None:
    given = Given(texts=("a b",), matrix=((1.0, 0.0), (0.0, 1.0)))
    assert table(show_self_attention(given), "1. Inputs").names == ("a", "b")


def test_more_words_than_can_be_shown_are_refused() -> None:
    with pytest.raises(UsageError, match="has 13 words; at most 12"):
        show_self_attention(Given(texts=(" ".join("abcdefghijklm"),)))
