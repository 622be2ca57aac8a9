"""Words and where they stand: what is given joined by spaces, and plain text cut at white space and punctuation."""

import pytest

from heed.data.word_spans import WordSpan, find_words, spans_of_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Ada's dog, Rex.", "Ada 's dog , Rex ."),
        ("(well-known) AT&T", "( well-known ) AT&T"),
        ("isn't don’t I'm", "is n't do n’t I 'm"),
        ("1,000.5 at 12:30, 50%", "1,000.5 at 12:30 , 50%"),
        ("the U.S. army...", "the U.S. army ..."),
        ("@me #yes https://a.b/c?d=1 !", "@me #yes https://a.b/c?d=1 !"),
        ("Đà Nẵng\u2028東京", "Đà Nẵng 東京"),
        (" \t\n", ""),
    ],
)
def test_a_text_is_cut_at_white_space_and_punctuation(text: str, words: str) -> None:
    assert [each.word for each in find_words(text)] == words.split()


def test_every_word_stands_where_it_says_and_only_white_space_is_left_out() -> None:
    text = "A\u00a0b-c,  d’e\u200d (x_y) 🙂!? ..--'"
    rest = list(text)
    for each in find_words(text):
        assert text[each.start : each.end] == each.word
        rest[each.start : each.end] = [""] * (each.end - each.start)
    assert "".join(rest).isspace()


def test_given_words_stand_one_space_apart() -> None:
    words = ("New York", "", "is", "big")
    text = " ".join(words)
    spans = spans_of_words(words)
    assert spans[0] == WordSpan("New York", 0, 8)
    assert [text[each.start : each.end] for each in spans] == list(words)
