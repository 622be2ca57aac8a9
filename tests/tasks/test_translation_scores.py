"""Translation scores: against values worked by hand and against sacrebleu called directly."""

import math

import numpy
import pytest
import sacrebleu

from heed.errors import DataError
from heed.tasks.translation_scores import bleu_interval, bleu_of_counts, score_translations, sentence_counts

HYPOTHESES = ["the cat sat on the mat", "a dog runs"]
REFERENCES = ["the cat sat on a mat", "a dog runs fast"]


def test_identical_translations_score_full_marks() -> None:
    scores = score_translations(REFERENCES, REFERENCES, with_ter=True)
    assert scores.bleu == pytest.approx(100)
    assert scores.chrf == pytest.approx(100)
    assert scores.ter == 0
    assert scores.exact == 1
    assert scores.count == 2


def test_bleu_is_the_value_worked_by_hand() -> None:
    # n-grams of the first sentence that match: 5 of 6 words (the second "the" is clipped), then "the cat", "cat sat",
    # "sat on": 3 of 5; "the cat sat", "cat sat on": 2 of 4; "the cat sat on": 1 of 3. Second: 3/3, 2/2, 1/1, 0/0.
    # Sums 8/9, 5/7, 3/5, 1/3, product 8/63. 9 words against 10: brevity penalty exp(1 - 10/9).
    by_hand = 100 * math.exp(1 - 10 / 9) * (8 / 63) ** 0.25
    assert score_translations(HYPOTHESES, REFERENCES).bleu == pytest.approx(by_hand)
    assert by_hand == pytest.approx(53.417, abs=1e-3)


def test_chrf_is_the_value_worked_by_hand() -> None:
    # One of two characters matches, no pair does: precision and recall are both (1/2 + 0) / 2, so F is 1/4.
    assert score_translations(["ab"], ["ac"]).chrf == pytest.approx(25)


def test_ter_is_the_value_worked_by_hand() -> None:
    # One word to replace in the first sentence and one to insert in the second, over ten reference words.
    assert score_translations(HYPOTHESES, REFERENCES, with_ter=True).ter == pytest.approx(20)
    assert score_translations(HYPOTHESES, REFERENCES).ter is None


def test_scores_and_signatures_are_those_of_sacrebleu() -> None:
    hypotheses = ["Is he here ?", "Il est là.", "l'Afrique", ""]
    references = ["Is he here?", "Il était là.", "L'Afrique est loin", "x"]
    scores = score_translations(hypotheses, references)
    assert scores.bleu == sacrebleu.corpus_bleu(hypotheses, [references]).score
    assert scores.chrf == sacrebleu.corpus_chrf(hypotheses, [references]).score
    assert scores.bleu_signature.startswith("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.")
    assert scores.chrf_signature.startswith("nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.")


def test_exact_counts_equal_sentences() -> None:
    assert score_translations(["a b", "c"], ["a b", "d"]).exact == 0.5


def test_the_interval_of_two_sentences_runs_from_the_worse_alone_to_the_better_alone() -> None:
    # A draw of two is twice the first, twice the second, or both: a quarter of the draws lies at either end.
    hypotheses = ["one two three four five", "one two three x five"]
    references = ["one two three four five", "one two three four five six"]
    interval = bleu_interval(hypotheses, references, resamples=200)
    assert interval.low == pytest.approx(score_translations(hypotheses[1:] * 2, references[1:] * 2).bleu)
    assert interval.high == pytest.approx(100)
    assert interval.low < score_translations(hypotheses, references).bleu < interval.high


def test_as_many_resamples_lie_below_the_interval_as_above_it() -> None:
    hypotheses = ["a cat sat here today", "the dog ran far off", "one two three four", "it rains a lot now"]
    references = ["a cat sat here now", "the dog ran far away", "one two three four", "it rained a lot today"]
    generator = numpy.random.default_rng(12345)
    counts = sentence_counts(hypotheses, references)
    scores = numpy.array([bleu_of_counts(counts[generator.integers(4, size=4)].sum(axis=0)) for _ in range(1000)])
    interval = bleu_interval(hypotheses, references, level=0.5)
    assert (interval.low, interval.high) == pytest.approx(tuple(numpy.quantile(scores, [0.25, 0.75])))
    assert interval.low < interval.high


def test_the_interval_is_the_same_for_the_same_seed_and_moves_with_the_seed() -> None:
    hypotheses = [f"a b c d{number} e f" for number in range(30)]
    references = [f"a b c d{number * 7 % 11} e f g" for number in range(30)]
    first = bleu_interval(hypotheses, references, resamples=50, seed=1)
    assert bleu_interval(hypotheses, references, resamples=50, seed=1) == first
    other = bleu_interval(hypotheses, references, resamples=50, seed=2)
    assert (other.low, other.high) != (first.low, first.high)
    assert first.low <= score_translations(hypotheses, references).bleu <= first.high


def test_a_wrong_number_of_references_is_an_error_that_names_both() -> None:
    with pytest.raises(DataError, match="2 translations and 1 references"):
        score_translations(["a", "b"], ["a"])
    with pytest.raises(DataError, match="2 translations and 1 references"):
        bleu_interval(["a", "b"], ["a"])


def test_nothing_to_score_is_an_error() -> None:
    with pytest.raises(DataError, match="0 translations"):
        score_translations([], [])


def test_one_string_in_place_of_a_list_is_an_error() -> None:
    with pytest.raises(DataError, match="list of sentences"):
        score_translations("abc", "abc")


def test_scoring_prints_and_warns_nothing(capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> None:
    score_translations(["It is late ."] * 150, ["It is late."] * 150)
    bleu_interval(["It is late ."] * 3, ["It is late."] * 3, resamples=5)
    assert capfd.readouterr() == ("", "")
    assert caplog.messages == []
