"""Greedy search on deck 3's table and on a reader's own."""

import pytest

from heed.errors import DataError
from heed.inspection.given import Given
from heed.inspection.shown import Note
from heed.inspection.topics.greedy import show_greedy
from heed.inspection.topics.next_token_table import root, token_table


def test_the_path_is_deck_3s_with_0_048_and_its_fourth_root(table) -> None:
    path = table(show_greedy(Given()), "The path").cells
    assert [row[0] for row in path] == ["A", "B", "C", "<eos>"]
    assert [row[1] for row in path] == pytest.approx([0.5, 0.4, 0.4, 0.6])
    assert path[-1][2:] == pytest.approx((0.048, 0.048**0.25))


def test_the_cells_of_the_path_are_framed() -> None:
    assert show_greedy(Given()).panels[0].marked == ((0, 0), (1, 1), (2, 2), (3, 3))


def test_a_path_that_never_ends_says_so() -> None:
    shown = show_greedy(Given(matrix=((0.9, 0.6), (0.1, 0.4))))
    [said] = [part.text for part in shown.parts if isinstance(part, Note) and part.heading == "The sequence"]
    assert said.startswith("A A: 0.9 x 0.6 = 0.54")
    assert "did not end" in said


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        (((1.0,),), "has 1 row"),
        (((0.5, 0.5), (0.5, 0.4)), "Column 2 of the matrix sums to 0.9"),
        (((1.5,), (-0.5,)), "Column 1 of the matrix holds -0.5"),
    ],
)
def test_a_table_that_holds_no_probabilities_is_refused(rows, fault: str) -> None:
    with pytest.raises(DataError, match=fault):
        token_table(Given(matrix=rows))


def test_the_root_of_a_power_is_its_base() -> None:
    assert root(0.7**5, 5) == pytest.approx(0.7)
    assert root(0.0, 3) == 0
