"""Pieces of a user's text in messages: nothing unprintable, nothing endless, and a sign where something is left out."""

from heed.files.quoting import first_of, printable, quote, shortened


def test_what_cannot_be_printed_is_escaped_and_all_else_stays() -> None:
    assert printable("né\n\x1b[2J 猫\u202e") == r"né\n\x1b[2J 猫\u202e"


def test_a_quoted_text_is_cut_and_stays_on_one_line() -> None:
    assert quote("a\nb") == r'"a\nb"'
    assert quote("abcdef", 4) == '"abc…"'
    assert quote("abcd", 4) == '"abcd"'


def test_a_shortened_text_keeps_both_ends() -> None:
    assert shortened("abcdefgh", 5) == "ab…gh"
    assert shortened("abcde", 5) == "abcde"


def test_the_first_of_many_texts_are_named_and_a_sign_stands_for_the_others() -> None:
    assert first_of(["a", "b", "c"], 2) == "a, b, …"
    assert first_of(["a", "b"], 2) == "a, b"
    assert first_of([], 2) == ""
