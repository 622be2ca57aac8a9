"""Heads: the shapes of deck 2, and that splitting and merging lose nothing."""

import pytest

from heed.inspection.given import Given
from heed.inspection.shown import Note
from heed.inspection.topics.heads import heads_for, show_heads


def test_the_shapes_are_those_of_deck_2(table) -> None:
    shapes = [row[0] for row in table(show_heads(Given()), "Shapes").cells]
    assert shapes == ["5 x 512", "5 x 1536", "8 x 5 x 64", "8 x 5 x 5", "8 x 5 x 64", "5 x 512", "5 x 512"]


def test_as_many_words_as_the_reader_gives_are_shaped(table) -> None:
    shown = show_heads(Given(texts=("hai từ",)))
    assert table(shown, "Shapes").cells[0] == ("2 x 512",)
    assert table(shown, "Before the split").names == ("hai", "từ")


def test_the_first_head_has_the_first_columns(numbers) -> None:
    shown = show_heads(Given(matrix=((1.0, 2.0, 3.0, 4.0), (5.0, 6.0, 7.0, 8.0), (9.0, 0.0, 1.0, 2.0))))
    assert numbers(shown, "Head 1: 3 x 2").tolist() == [[1, 2], [5, 6], [9, 0]]
    assert numbers(shown, "Head 2: 3 x 2").tolist() == [[3, 4], [7, 8], [1, 2]]


def test_merged_heads_are_what_was_split_and_cost_nothing() -> None:
    notes = {part.heading: part.text for part in show_heads(Given()).parts if isinstance(part, Note)}
    assert "exactly what was split" in notes["Concatenated again"]
    assert "heads cost nothing" in notes["The cost"]


@pytest.mark.parametrize(("width", "heads"), [(1, 1), (4, 2), (6, 2), (7, 1), (9, 3)])
def test_a_width_is_cut_into_two_or_three_where_it_can_be(width: int, heads: int) -> None:
    assert heads_for(width) == heads
