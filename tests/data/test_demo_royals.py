"""The corpus of kings and capitals: always the same, its properties in step, and every word of its questions there."""

import time

from heed.data.demos import royals
from heed.data.sentences import count_words, load_sentences, words_of


def test_making_the_corpus_again_gives_the_same_sentences() -> None:
    assert royals.texts() == royals.texts.__wrapped__()
    assert len(royals.texts()) == royals.SIZE


def test_making_it_takes_less_than_a_second() -> None:
    before = time.process_time()
    royals.texts.__wrapped__()
    assert time.process_time() - before < 1


def test_a_sentence_is_words_in_lower_case_with_single_spaces() -> None:
    for text in royals.texts():
        assert " ".join(words_of(text)) == text
        assert 6 <= len(text.split()) <= 14, text


def test_men_and_women_never_share_a_sentence_and_each_has_pronouns_of_one_kind() -> None:
    sides = [{row[side] for row in royals.PEOPLE} | set(royals.GENDERS[side][0]) for side in (0, 1)]
    for text in royals.texts():
        words = set(text.split())
        assert not (words & sides[0] and words & sides[1]), text


def test_a_word_stands_mostly_but_not_only_with_what_it_has() -> None:
    about_the_king = [text for text in royals.texts() if "king" in text.split()]
    with_beard, with_gown = (sum(look in text for text in about_the_king) for look in ("beard", "gown"))
    assert 0 < with_gown < with_beard / 3


def test_every_word_of_the_questions_stands_often_in_the_corpus() -> None:
    counts = count_words(load_sentences(["demo:royals"])).counts
    asked = {word for section in royals.questions().values() for question in section for word in question}
    assert min(counts[word] for word in asked) > 150


def test_the_questions_cross_all_pairs() -> None:
    sections = royals.questions()
    assert {name: len(questions) for name, questions in sections.items()} == {
        "family": 10 * 9,
        "capital-common-countries": 12 * 11,
    }
    assert ("man", "woman", "king", "queen") in sections["family"]
    assert ("paris", "france", "rome", "italy") in sections["capital-common-countries"]
