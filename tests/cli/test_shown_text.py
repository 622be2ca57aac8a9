"""A worked example in a terminal: aligned, whole numbers as such, no line wider than the screen."""

from heed.cli.shown_text import WIDEST, lines_of
from heed.inspection.shown import Note, Shown, Table


def lines(*parts: Note | Table, corrections: tuple[str, ...] = ()) -> list[str]:
    return list(lines_of(Shown("mask", "A title", "It shows.", parts, corrections, ())))


def test_columns_are_aligned_and_negative_zeros_are_zeros() -> None:
    table = Table("Numbers", ("a", "long name"), ("one", "và hai"), ((1.5, "x"), (-0.0004, "yy")), decimals=2)
    assert lines(table)[4:] == [
        "Numbers",
        "             a  long name",
        "  one     1.50  x",
        "  và hai  0.00  yy",
    ]


def test_a_table_of_whole_numbers_has_no_decimals_and_what_a_mask_hides_is_minus_infinity() -> None:
    assert lines(Table("T", ("a", "b"), ("r",), ((2.0, None),)))[-1] == "  r  2  -inf"


def test_columns_that_do_not_fit_are_counted() -> None:
    wide = Table("Wide", tuple(f"column {n}" for n in range(20)), ("r",), ((0.5,) * 20,))
    assert lines(wide)[-1] == "  … and 11 more columns (all with --json)"


def test_no_line_is_wider_than_the_screen() -> None:
    sentence = "word " * 60
    wide = Table(sentence, tuple(map(str, range(40))), ("n" * 90,), ((0.123456,) * 40,))
    assert max(map(len, lines(Note("Said", sentence), wide, corrections=(sentence,)))) <= WIDEST


def test_corrections_stand_at_the_end_and_a_drawing_of_characters_keeps_its_lines() -> None:
    said = lines(Note("Tree", "├─ a\n└─ b"), corrections=("The deck is wrong.",))
    assert said[-5:] == ["├─ a", "└─ b", "", "Where a deck is wrong", "- The deck is wrong."]
