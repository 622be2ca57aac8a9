"""Scores of captions against several references each: by hand, by sacrebleu itself, and with their interval."""

import pytest
import sacrebleu

from heed.errors import DataError
from heed.tasks.caption_scores import caption_interval, score_captions

CAPTIONS = ("a red tulip on grass", "a dog runs on the wet sand", "two boats at sea", "a man sits")
REFERENCES = (
    ("a red tulip on sand", "grass"),
    ("the dog runs over wet sand",),
    ("three boats are out at sea", "two boats at sea", "boats on a calm sea"),
    ("a man sits down", "a man sits"),
)


def test_bleu_of_each_order_is_as_worked_by_hand() -> None:
    # One word of five is in the second reference only. Of pairs 3 of 4 are there, of threes 2 of 3, of fours 1 of 2;
    # the reference nearest in length has five words too, so nothing is taken off for being short.
    scores = score_captions(CAPTIONS[:1], REFERENCES[:1])
    expected = (1, (3 / 4) ** (1 / 2), (3 / 4 * 2 / 3) ** (1 / 3), (3 / 4 * 2 / 3 * 1 / 2) ** (1 / 4))
    assert scores.bleu == pytest.approx([100 * each for each in expected])
    assert (scores.exact, scores.exact_first, scores.count) == (0, 0, 1)


def test_references_of_unequal_number_count_as_if_the_first_were_given_again() -> None:
    """A reference given twice changes neither BLEU nor chrF, so sacrebleu can be asked without gaps."""
    scores = score_captions(CAPTIONS, REFERENCES)
    streams = [[given[place] if place < len(given) else given[0] for given in REFERENCES] for place in range(3)]
    for order, found in enumerate(scores.bleu, start=1):
        direct = sacrebleu.BLEU(lowercase=True, max_ngram_order=order, force=True).corpus_score(list(CAPTIONS), streams)
        assert found == pytest.approx(direct.score)
    assert scores.chrf == pytest.approx(sacrebleu.corpus_chrf(list(CAPTIONS), streams).score)
    assert "nrefs:var" in scores.bleu_signature and "nrefs:var" in scores.chrf_signature


def test_longer_runs_of_words_are_found_less_often() -> None:
    one, two, three, four = score_captions(CAPTIONS, REFERENCES).bleu
    assert 100 > one > two > three > four > 0


def test_another_reference_never_lowers_what_a_caption_shares_with_them() -> None:
    fewer = score_captions(CAPTIONS, [given[:1] for given in REFERENCES])
    assert score_captions(CAPTIONS, REFERENCES).chrf > fewer.chrf


def test_exact_is_any_reference_and_exact_first_the_first() -> None:
    scores = score_captions(CAPTIONS, REFERENCES)
    assert (scores.exact, scores.exact_first) == (0.5, 0)
    turned = score_captions(CAPTIONS, [given[::-1] for given in REFERENCES])
    assert (turned.exact, turned.exact_first) == (0.5, 0.25)
    perfect = score_captions(CAPTIONS, [(caption,) for caption in CAPTIONS])
    assert (perfect.exact, perfect.exact_first, perfect.bleu[3], perfect.chrf) == pytest.approx((1, 1, 100, 100))


def test_capital_letters_count_as_small_ones() -> None:
    spoken = [tuple(text.capitalize() for text in given) for given in REFERENCES]
    usual = score_captions(CAPTIONS, REFERENCES)
    assert score_captions(CAPTIONS, spoken) == usual
    assert score_captions([caption.upper() for caption in CAPTIONS], spoken) == usual
    assert caption_interval(CAPTIONS, spoken) == caption_interval(CAPTIONS, REFERENCES)
    assert "case:lc" in usual.bleu_signature and "case:lc" in usual.chrf_signature


def test_the_interval_lies_around_the_score_and_is_the_score_where_there_is_one_picture() -> None:
    captions, references = CAPTIONS * 20, REFERENCES * 20
    found, score = caption_interval(captions, references), score_captions(captions, references).bleu[3]
    assert found.low < score < found.high
    assert caption_interval(captions, references) == found != caption_interval(captions, references, seed=1)
    alone = caption_interval(CAPTIONS[:1], REFERENCES[:1])
    assert alone.low == alone.high == pytest.approx(score_captions(CAPTIONS[:1], REFERENCES[:1]).bleu[3])


@pytest.mark.parametrize(
    ("captions", "references", "message"),
    [
        (["one", "two"], [("one",)], "There are 2 captions and references of 1 pictures."),
        ([], [], "There are 0 captions to score. Give at least one picture."),
        (["one", "two"], [("one",), ()], "Picture 2 of 2 has no caption to compare with. Leave it out."),
    ],
)
def test_what_cannot_be_scored_is_refused(captions: list[str], references: list, message: str) -> None:
    with pytest.raises(DataError, match=message):
        score_captions(captions, references)
