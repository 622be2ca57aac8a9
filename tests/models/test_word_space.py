"""Neighbours, analogies, similarity: numbers worked by hand, blocks that change nothing, and what cannot be asked."""

import numpy as np
import pytest

from heed.errors import DataError, UsageError
from heed.models import word_space
from heed.models.word_space import WordSpace, WordSum, parse_sum

# Unit vectors: east (1, 0), north (0, 1), corner (0.7071, 0.7071), steep (-0.1961, 0.9806), slant (-0.2425, 0.9701).
WORDS = {"east": (2, 0), "north": (0, 3), "corner": (1, 1), "steep": (-1, 5), "slant": (-1, 4), "nowhere": (0, 0)}


@pytest.fixture
def space() -> WordSpace:
    return WordSpace(list(WORDS), np.array(list(WORDS.values()), dtype=np.float32))


def random_space(words: int = 47, width: int = 5) -> WordSpace:
    table_VD = np.random.default_rng(3).normal(size=(words, width)).astype(np.float32)
    return WordSpace([f"w{number}" for number in range(words)], table_VD)


def test_similarity_is_the_cosine_of_the_angle(space: WordSpace) -> None:
    assert space.similarity("east", "corner") == pytest.approx(0.7071, abs=1e-4)
    assert space.similarity("east", "north") == 0
    assert space.similarity("steep", "slant") == pytest.approx((1 + 20) / np.sqrt(26 * 17), abs=1e-6)
    assert space.similarity("east", "nowhere") == 0


def test_neighbours_come_nearest_first_without_the_word_itself(space: WordSpace) -> None:
    found = space.nearest("north", 3)
    assert [each.word for each in found] == ["steep", "slant", "corner"]
    assert [each.similarity for each in found] == pytest.approx([0.9806, 0.9701, 0.7071], abs=1e-4)


def test_an_analogy_is_worked_with_unit_vectors(space: WordSpace) -> None:
    # north - east + corner = (-0.2929, 1.7071), at length 1 (-0.1691, 0.9856): 0.9996 with steep, 0.9972 with slant.
    # Vectors of their own lengths would give (-1, 4), which is slant.
    best, second, *_ = space.solve(WordSum(("north", "corner"), ("east",)))
    assert (best.word, second.word) == ("steep", "slant")
    assert best.similarity == pytest.approx(0.9996, abs=1e-4)
    assert second.similarity == pytest.approx(0.9972, abs=1e-4)


def test_the_words_of_a_question_are_never_its_answer() -> None:
    space = random_space()
    for words in (("w1",), ("w1", "w2"), ("w1", "w2", "w3")):
        found = space.solve(WordSum(words[:2], words[2:]), count=1000)
        assert {each.word for each in found} == set(space.words) - set(words)


def test_the_nearest_to_a_word_s_own_vector_is_the_word() -> None:
    space = random_space()
    assert space.nearest_to(3 * space.table[7], 1)[0].word == "w7"


def test_many_analogies_at_once_are_those_one_by_one_in_whatever_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    space = random_space()
    questions_Q3 = np.random.default_rng(4).integers(0, 47, (31, 3))
    alone = [
        space.row(space.solve(WordSum((space.words[b], space.words[c]), (space.words[a],)), 1)[0].word)
        for a, b, c in questions_Q3
    ]
    assert space.analogies(questions_Q3, 47).tolist() == alone
    monkeypatch.setattr(word_space, "BLOCK_QUESTIONS", 4)
    monkeypatch.setattr(word_space, "BLOCK_WORDS", 10)
    assert space.analogies(questions_Q3, 47).tolist() == alone


def test_only_the_first_words_are_asked_when_so_told() -> None:
    space = random_space()
    answers = space.analogies(np.random.default_rng(4).integers(0, 47, (31, 3)), 20)
    assert answers.max() < 20


def test_a_word_is_found_as_spelt_or_else_in_lower_case(space: WordSpace) -> None:
    assert space.row("North") == space.row("north")
    both = WordSpace(["may", "May"], np.eye(2, dtype=np.float32))
    assert (both.row("May"), both.row("MAY")) == (1, 0)


@pytest.mark.parametrize(
    ("word", "hint"), [("nort", "Did you mean 'north'?"), ("Eats", "Did you mean 'east'?"), ("xyz", "Ask for a word")]
)
def test_an_unknown_word_is_named_with_the_nearest_spelling(space: WordSpace, word: str, hint: str) -> None:
    with pytest.raises(DataError) as caught:
        space.nearest(word)
    assert f"{word!r} is none of the 6 words that have a vector. {hint}" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("king", WordSum(("king",))),
        ("king - man + woman", WordSum(("king", "woman"), ("man",))),
        ("  well-known +  C++ ", WordSum(("well-known", "C++"))),
        ("a - b - c", WordSum(("a",), ("b", "c"))),
    ],
)
def test_a_sign_stands_alone(text: str, asked: WordSum) -> None:
    assert parse_sum(text) == asked


@pytest.mark.parametrize("text", ["", "king man", "king -", "+ king", "king - + man", "- man"])
def test_a_sum_that_cannot_be_read_is_named(text: str) -> None:
    with pytest.raises(UsageError, match=r"cannot be read\. Ask for a word") as caught:
        parse_sum(text)
    assert repr(text) in str(caught.value)


def test_a_sum_that_adds_nothing_is_refused(space: WordSpace) -> None:
    with pytest.raises(UsageError, match=r"Nothing is added in '- east'"):
        space.solve(WordSum((), ("east",)))


def test_no_neighbours_at_all_cannot_be_asked_for(space: WordSpace) -> None:
    with pytest.raises(UsageError, match=r"number of neighbours is 0"):
        space.nearest("east", 0)


def test_a_vector_of_another_width_is_refused(space: WordSpace) -> None:
    with pytest.raises(UsageError, match=r"has shape \(3,\); those of the words have \(2,\)"):
        space.nearest_to(np.zeros(3, dtype=np.float32))
