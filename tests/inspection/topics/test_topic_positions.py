"""Positions: deck 2's rejected ideas and criteria, both layouts, dot products over distance."""

import pytest
import torch

from heed.inspection.given import Given
from heed.inspection.topics.positions import WIDTH, first_idea, product_at, second_idea, show_positions
from heed.layers.positions import sinusoid, sinusoid_concat


def test_only_the_sinusoid_meets_all_criteria(table) -> None:
    judged = table(show_positions(Given()), "Deck 2's criteria")
    assert dict(zip(judged.names, judged.cells, strict=True)) == {
        "0 to 1": ("yes", "no", "yes"),
        "1, 2, 3, ...": ("yes", "yes", "no"),
        "sinusoid": ("yes", "yes", "yes"),
    }


def test_the_first_idea_has_another_step_in_each_length_and_the_second_grows() -> None:
    assert first_idea(5)[:, 0].tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert first_idea(3)[:, 0].tolist() == [0, 0.5, 1]
    assert second_idea(4)[:, 0].tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize("layout", [sinusoid, sinusoid_concat])
def test_the_product_at_a_distance_is_that_of_any_two_positions_so_far_apart(layout) -> None:
    table_TD = layout(40, WIDTH)
    for first, second in ((0, 7), (20, 27), (33, 26)):
        assert float(table_TD[first] @ table_TD[second]) == pytest.approx(product_at(7))
    assert product_at(0) == pytest.approx(WIDTH / 2)


def test_both_layouts_hold_the_same_numbers_in_another_order(numbers) -> None:
    shown = show_positions(Given(texts=("một hai ba",)))
    turns, halves = numbers(shown, "Sinusoid, sines"), numbers(shown, "Sinusoid, all sines")
    assert turns.shape == (3, 8)
    assert torch.equal(turns[:, 0::2], halves[:, :4])
    assert torch.equal(turns[:, 1::2], halves[:, 4:])


def test_a_readers_sentences_have_steps_of_their_own(table) -> None:
    shown = show_positions(Given(texts=("a b c", "a b c d e", "alone")))
    assert [row[1] for row in table(shown, "Rejected: from 0 to 1").cells] == [0.5, 0.25, 1.0]
