"""A comparison in the terminal: an aligned table, and sentences that tell real gaps from chance."""

from dataclasses import replace

import pytest
from fake_comparisons import FIVE, labelled, numbered, translated, with_one_seed_of

from heed.comparing.findings import answer, gap_sentences
from heed.comparing.results import Comparison
from heed.comparing.statistics import Difference, Interval
from heed.comparing.table import WIDEST, table_lines

REAL = Difference(-0.012, -0.020, -0.004, 0.003, True)
CHANCE = Difference(-0.003, -0.011, 0.005, 0.4, False)
BETTER = Difference(0.010, 0.002, 0.018, 0.01, True)


def three() -> Comparison:
    """Return textcnn before gru, which may be as good, before tfidf, the baseline."""
    comparison = labelled(names=("textcnn", "gru", "tfidf"))
    textcnn, gru, tfidf = (
        next(each for each in comparison.standings if each.name == name) for name in ("textcnn", "gru", "tfidf")
    )
    best_to_baseline = Difference(0.012, 0.004, 0.020, 0.003, True)
    standings = [
        replace(textcnn, score=Interval(0.8731, 0.8641, 0.8821), against_best=None, against_baseline=best_to_baseline),
        replace(gru, score=Interval(0.8701, None, None), against_best=CHANCE, against_baseline=BETTER, seeds=1),
        replace(tfidf, score=Interval(0.8611, 0.8601, 0.8621), against_best=REAL, against_baseline=None),
    ]
    return replace(comparison, standings=standings)


def test_each_row_has_the_score_the_gap_its_verdict_and_what_the_model_costs() -> None:
    standing = replace(
        three().standings[2], parameters=1_234_567, seconds=90, latency=0.00321, texts_per_second=1234, cut_share=0.025
    )
    lines = table_lines(
        replace(three(), standings=[*three().standings[:2], replace(standing, bytes_on_disk=5_100_000)])
    )
    assert " ".join(lines[0].split()) == "model accuracy % to the best params min ms/text texts/s disk cut %"
    assert lines[1].startswith("textcnn  87.3 ± 0.9")
    assert lines[3].split("  ", 1)[0] == "tfidf"
    assert "86.1 ± 0.1  −1.2 (−2.0 to −0.4)  real" in lines[3]
    for cell in ("1.23 M", "1.50", "3.21", "1,234", "5.10 MB", "2.5"):
        assert cell in lines[3]


def test_a_single_seed_has_a_score_without_an_interval() -> None:
    gru = table_lines(three())[2]
    assert "87.0" in gru
    assert "±" not in gru


def test_the_sentences_tell_which_gaps_are_real_and_which_may_be_chance() -> None:
    assert gap_sentences(three()) == [
        "textcnn and gru: the gap of 0.3 points (−0.5 to 1.1) may be chance",
        "textcnn is 1.2 points above tfidf (0.4 to 2.0): real",
        "gru is 1.0 points above tfidf (0.2 to 1.8): real",
    ]


def test_a_contender_below_the_baseline_is_said_to_be_below_it() -> None:
    best, gru, tfidf = three().standings
    worse = replace(gru, against_baseline=Difference(-0.02, -0.03, -0.01, 0.01, True))
    assert "gru is 2.0 points below tfidf (1.0 to 3.0): real" in gap_sentences(
        replace(three(), standings=[best, worse, tfidf])
    )


def test_a_gap_that_may_be_chance_names_the_higher_one_first() -> None:
    best, gru, tfidf = three().standings
    near = replace(gru, against_baseline=Difference(-0.002, -0.01, 0.006, 0.5, False))
    assert gap_sentences(replace(three(), standings=[best, near, tfidf]))[-1] == (
        "tfidf and gru: the gap of 0.2 points (−0.6 to 1.0) may be chance"
    )


def test_where_the_baseline_is_best_no_gap_is_told_twice() -> None:
    comparison = replace(three(), baseline="textcnn")
    assert len(gap_sentences(comparison)) == 2
    assert "It is the baseline: nothing beats it." in answer(comparison)


def test_the_answer_names_the_best_its_lead_and_the_quickest_of_those_that_may_be_as_good() -> None:
    best, gru, tfidf = three().standings
    comparison = replace(
        three(), standings=[replace(best, latency=0.004), replace(gru, latency=0.001), replace(tfidf, latency=0.0001)]
    )
    assert answer(comparison) == (
        "textcnn scores highest of 3: 87.3 ± 0.9 % accuracy. "
        "Its lead over tfidf is real; over gru it may be chance. "
        "It is 1.2 points above the baseline tfidf (0.4 to 2.0): real. "
        "Of those that may be as good, gru is the quickest (1.00 ms a text, textcnn 4.00)."
    )


def test_one_model_alone_is_set_against_nothing() -> None:
    comparison = labelled(names=("gru",))
    text = "\n".join(table_lines(comparison))
    assert "best" not in text
    assert "chance" not in text
    assert answer(comparison).startswith("gru reaches ")


def test_who_was_trained_once_because_it_uses_no_seed_is_told_apart() -> None:
    text = " ".join(table_lines(with_one_seed_of(labelled(), "lstm")))
    assert "lstm uses no seed: training again gives the same model." in text
    assert "one seed only" not in text
    assert "one seed only" not in " ".join(table_lines(labelled()))
    assert "Each model was trained with one seed only" in " ".join(table_lines(labelled(seeds=1)))


def test_what_was_cut_is_said_below_the_table_with_the_share() -> None:
    text = " ".join(table_lines(labelled(names=("gru", "tfidf"))))
    assert "were cut: 2.3 % of the tokens by gru." in text


@pytest.mark.parametrize(
    "comparison",
    [labelled(), labelled(labels=FIVE), with_one_seed_of(labelled(), "gru"), numbered(), translated()],
    ids=["two labels", "five labels", "one seed", "numbers", "translations"],
)
def test_no_line_is_wider_than_a_terminal(comparison: Comparison) -> None:
    lines = table_lines(comparison)
    assert max(map(len, lines)) <= WIDEST
    assert [line.split()[0] for line in lines[1 : 1 + len(comparison.standings)]] == [
        each.name for each in comparison.standings
    ]


def test_long_names_lose_their_middle_in_the_table_and_are_whole_below_it() -> None:
    names = ("training.learning_rate=0.0001", "training.learning_rate=0.0002")
    lines = table_lines(labelled(names=names))
    assert max(map(len, lines[:3])) <= WIDEST
    assert sorted(line.split()[0][-5:] for line in lines[1:3]) == [".0001", ".0002"]
    assert all(name in " ".join(lines[3:]) for name in names)


def test_a_name_cannot_move_the_cursor_of_the_terminal() -> None:
    text = "\n".join(table_lines(labelled(names=("gru\x1b[2J", "a\rb", "c\nd"))))
    assert "\x1b" not in text
    assert "\r" not in text
    assert "c\\nd" in text


def test_a_correlation_is_written_with_three_decimals_and_bleu_with_one() -> None:
    assert "0.851 ± 0.008" in "\n".join(table_lines(numbered()))
    assert " points above lstm" in "\n".join(table_lines(translated()))


def test_ten_thousand_examples_earn_a_second_decimal() -> None:
    comparison = three()
    examples = list(comparison.examples) * 50
    assert "87.31 ± 0.90" in "\n".join(table_lines(replace(comparison, examples=examples)))


def test_a_score_that_is_not_a_number_is_a_dash() -> None:
    best, *others = three().standings
    broken = replace(best, score=Interval(float("nan"), None, None), latency=float("nan"))
    assert table_lines(replace(three(), standings=[broken, *others]))[1].startswith("textcnn  –")
