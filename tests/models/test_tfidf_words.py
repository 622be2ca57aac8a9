"""Words and n-grams: what counts as one, and agreement with scikit-learn's own cutting."""

import unicodedata

import pytest
from sklearn.feature_extraction.text import CountVectorizer

from heed.models.tfidf_words import character_ngrams, cut_texts, word_ngrams


def words_of(text: str, *, lowercase: bool = True) -> list[str]:
    return cut_texts([text], lowercase=lowercase)[0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Phục_vụ tốt , giá hợp_lý !", ["phục_vụ", "tốt", ",", "giá", "hợp_lý", "!"]),
        ("a b", ["a", "b"]),
        ("ngon quá!!! :) <3", ["ngon", "quá", "!!!", ":)", "<", "3"]),
        ("don't", ["don", "'", "t"]),
        ("tuyệt 😂😂", ["tuyệt", "😂😂"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("❤️ ok", ["❤️", "ok"]),
        (" \n\t ", []),
        ("", []),
    ],
)
def test_text_is_cut_into_words_and_runs_of_signs(text: str, words: list[str]) -> None:
    assert words_of(text) == words


def test_an_accent_typed_apart_makes_the_same_word() -> None:
    assert words_of(unicodedata.normalize("NFD", "Phở bò")) == ["phở", "bò"]


def test_capitals_are_kept_when_asked_for() -> None:
    assert words_of("Phở BÒ", lowercase=False) == ["Phở", "BÒ"]


def test_equal_words_share_memory() -> None:
    first, second = cut_texts(["không ngon", "không tốt"], lowercase=True)
    assert first[0] is second[0]


@pytest.mark.parametrize("lengths", [(1, 1), (1, 2), (2, 3), (3, 3)])
def test_runs_of_words_are_those_of_scikit_learn(lengths: tuple[int, int]) -> None:
    analyse = CountVectorizer(ngram_range=lengths, token_pattern=r"\S+").build_analyzer()
    for text in ("one two three four", "one two", "one", ""):
        assert sorted(word_ngrams(text.split(), lengths)) == sorted(analyse(text))


@pytest.mark.parametrize("lengths", [(1, 1), (2, 5), (3, 4), (6, 9)])
def test_runs_of_characters_are_those_of_scikit_learn(lengths: tuple[int, int]) -> None:
    analyse = CountVectorizer(ngram_range=lengths, analyzer="char_wb").build_analyzer()
    for word in ("a", "ab", "nghiêng", "hợp_lý", "!"):
        assert list(character_ngrams(word, lengths)) == analyse(word)
