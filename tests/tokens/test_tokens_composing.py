"""Composing text keeps every character's place in the text that was given."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heed.tokens.composing import compose

# Letters, marks of two classes, Korean parts, a singleton and a character that NFC makes longer.
MIXED = st.text(alphabet="ea xo'?\u0301\u0302\u0323\u1100\u1161\u11a8\uac00\u212b\u0958\u09c7\u09be", max_size=12)


@given(MIXED)
def test_the_composed_text_is_nfc(text: str) -> None:
    assert compose(text).text == unicodedata.normalize("NFC", text)


@given(MIXED)
def test_the_places_cover_the_text_from_left_to_right(text: str) -> None:
    composed = compose(text)
    assert len(composed.spans) == len(composed.text)
    reached = 0
    for start, end in dict.fromkeys(composed.spans):  # the parts of a character that grew share their place
        assert start == reached < end
        reached = end
    assert reached == len(text)


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("e\u0301t", ((0, 2), (2, 3))),
        ("o\u0323\u0302n", ((0, 3), (3, 4))),  # ộ: two marks on one letter
        ("\u1100\u1161\u11a8x", ((0, 3), (3, 4))),  # three Korean letters, one syllable
        ("x\u0301a", ((0, 1), (1, 2), (2, 3))),  # no such composed letter: the mark stays
        ("\u0958a", ((0, 1), (0, 1), (1, 2))),  # one character becomes two
    ],
)
def test_each_composed_character_stands_where_its_parts_stood(text: str, spans: tuple[tuple[int, int], ...]) -> None:
    assert compose(text).spans == spans


def test_an_empty_stretch_keeps_its_place() -> None:
    assert compose("e\u0301t").original_span(1, 1) == (2, 2)
    assert compose("e\u0301t").original_span(2, 2) == (3, 3)
    assert compose("").original_span(0, 0) == (0, 0)


def test_a_pile_of_marks_takes_no_more_than_linear_time() -> None:
    began = time.process_time()
    compose("a" + "\u0301" * 300_000)
    assert time.process_time() - began < 3
