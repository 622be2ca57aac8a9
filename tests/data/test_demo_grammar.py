"""The parts that the built-in grammars share: drawing, dealing to splits, English verbs."""

from collections import Counter

import pytest

from heed.data.demos.english_forms import BE, EnglishVerb, Group, past, present, question, statement, with_article
from heed.data.demos.grammar import Derivation, Draws, assemble, differ, split_of, weigh

EAT = EnglishVerb("eat", "eats", "ate")


def numbered(draws: Draws) -> Derivation:
    number = draws.below(3000)
    return Derivation(f"source {number}", f"target {number}", f"combination {number % 1000}")


def test_equal_seeds_give_equal_draws_and_others_do_not() -> None:
    first, second, other = ([Draws(seed).below(1000) for _ in range(3)] for seed in ("a", "a", "b"))
    assert first == second != other


def test_the_first_draws_of_a_seed_are_those_worked_out_elsewhere() -> None:
    # b2sum of "heed" and eight zero bytes, as sixteen little-endian numbers read from the end, scaled to 0 … 99.
    draws = Draws("heed")
    assert [draws.below(100) for _ in range(6)] == [21, 60, 13, 3, 72, 56]


def test_draws_reach_every_number_below_the_bound_about_equally_often() -> None:
    draws = Draws("x")
    counts = Counter(draws.below(7) for _ in range(7000))
    assert sorted(counts) == list(range(7))
    assert all(850 < count < 1150 for count in counts.values())


def test_an_option_is_drawn_as_often_as_its_weight_says() -> None:
    draws, weighted = Draws("x"), weigh([("rare", 1), ("never", 0), ("common", 3)])
    counts = Counter(draws.pick_weighted(weighted) for _ in range(4000))
    assert counts["never"] == 0
    assert 900 < counts["rare"] < 1100


def test_about_four_combinations_in_a_hundred_go_to_valid_and_to_test() -> None:
    counts = Counter(split_of(f"combination {number}") for number in range(10_000))
    assert 320 < counts["valid"] < 480
    assert 320 < counts["test"] < 480


def test_a_pinned_sentence_opens_the_test_split_and_takes_its_combination_along() -> None:
    pinned = Derivation("source 6", "target 6", "combination 6")
    assert split_of(pinned.combination) == "train"
    corpus = assemble(numbered, "x", [pinned], train_size=1500, held_out_size=50)
    assert corpus.test[0] == pinned
    assert all(made.combination != pinned.combination for made in (*corpus.train, *corpus.valid))
    assert [made.source for made in corpus.test].count("source 6") == 1


def test_a_grammar_that_translates_one_source_in_two_ways_is_caught() -> None:
    def ambiguous(draws: Draws) -> Derivation:
        made = numbered(draws)
        return Derivation(made.source, f"{made.target} {draws.below(2)}", made.combination)

    with pytest.raises(AssertionError, match="two translations of 'source"):
        assemble(ambiguous, "x", [], train_size=1500, held_out_size=50)


def test_what_the_grammar_refuses_is_drawn_again() -> None:
    def half(draws: Draws) -> Derivation | None:
        return numbered(draws) if draws.chance(50) else None

    corpus = assemble(half, "x", [], train_size=100, held_out_size=5)
    assert (len(corpus.train), len(corpus.valid), len(corpus.test)) == (100, 5, 5)


@pytest.mark.parametrize(
    ("subject", "complement", "expected"),
    [("Jane", "Paul", True), ("Jane", "Jane", False), ("Jane&Paul", "Paul", False), ("Jane", "book+Jane", False)],
)
def test_nobody_stands_on_both_sides_of_a_verb(subject: str, complement: str, expected: bool) -> None:
    assert differ(subject, complement) is expected


@pytest.mark.parametrize(
    ("group", "stated", "denied", "asked"),
    [
        (present("one", EAT), "x eats", "x does not eat", "does x eat"),
        (present("many", EAT), "x eat", "x do not eat", "do x eat"),
        (past("one", EAT), "x ate", "x did not eat", "did x eat"),
        (present("I", BE), "x am", "x am not", "am x"),
        (past("many", BE), "x were", "x were not", "were x"),
        (Group("can", "eat"), "x can eat", "x cannot eat", "can x eat"),
        (Group("will", "be"), "x will be", "x will not be", "will x be"),
    ],
)
def test_english_denies_and_asks_with_do_where_there_is_no_auxiliary(
    group: Group, stated: str, denied: str, asked: str
) -> None:
    assert statement("x", group) == stated
    assert statement("x", group, "not") == denied
    assert question("x", group) == asked


def test_adverbs_stand_before_the_main_verb_and_after_the_auxiliary() -> None:
    assert statement("Jane", present("one", EAT), adverb="often") == "Jane often eats"
    assert statement("Jane", present("one", BE), adverb="often") == "Jane is often"
    assert statement("Jane", present("one", EAT), "never") == "Jane never eats"


def test_an_stands_before_a_vowel() -> None:
    assert (with_article("old car"), with_article("car")) == ("an old car", "a car")
