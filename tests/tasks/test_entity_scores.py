"""Scores of entities and of plain labels, beside numbers worked by hand."""

import random

import pytest

from heed.errors import DataError
from heed.tasks.entity_scores import brief_entity_scores, score_entities, score_words, word_accuracy


def tags(text: str) -> list[list[str]]:
    return [sentence.split() for sentence in text.split("|")]


# There are 5 entities; 4 are said to be there: PER right, PER too short, LOC of another kind, and PER right.
EXPECTED = tags("B-PER O B-PER I-PER | O B-LOC O B-LOC | B-PER I-PER O")
PREDICTED = tags("B-PER O B-PER O | O B-ORG O O | B-PER I-PER O")


def test_precision_recall_and_f1_are_those_worked_by_hand() -> None:
    scores = score_entities(EXPECTED, PREDICTED)
    assert (scores.sentences, scores.words, scores.entities) == (3, 11, 5)
    assert scores.precision == pytest.approx(2 / 4)
    assert scores.recall == pytest.approx(2 / 5)
    assert scores.f1 == pytest.approx(4 / 9)
    assert scores.accuracy == pytest.approx(8 / 11)
    assert brief_entity_scores(EXPECTED, PREDICTED) == {
        "f1": scores.f1, "precision": scores.precision, "recall": scores.recall
    }  # fmt: skip


def test_each_kind_has_its_own_scores_also_one_that_only_the_model_names() -> None:
    location, organisation, person = score_entities(EXPECTED, PREDICTED).kinds
    assert (location.name, location.support, location.found, location.f1) == ("LOC", 2, 0, 0.0)
    assert (organisation.name, organisation.support, organisation.found, organisation.f1) == ("ORG", 0, 1, 0.0)
    assert (person.precision, person.recall, person.f1) == pytest.approx((2 / 3, 2 / 3, 2 / 3))
    assert (person.support, person.found) == (3, 3)


def test_what_is_all_right_has_one_and_an_interval_without_width() -> None:
    scores = score_entities(EXPECTED, EXPECTED, resamples=50)
    assert (scores.precision, scores.recall, scores.f1) == (1, 1, 1)
    assert (scores.f1_interval.low, scores.f1_interval.high) == (1, 1)


def test_nothing_there_and_nothing_found_is_zero_not_an_error() -> None:
    scores = score_entities(tags("O O|O"), tags("O O|O"))
    assert (scores.f1, scores.kinds, scores.accuracy) == (0.0, (), 1.0)


def test_the_interval_holds_the_score_and_narrows_with_more_sentences() -> None:
    few, many = (score_entities(EXPECTED * times, PREDICTED * times) for times in (4, 100))
    for scores in (few, many):
        assert scores.f1_interval.low < scores.f1 < scores.f1_interval.high
    widths = [scores.f1_interval.high - scores.f1_interval.low for scores in (few, many)]
    assert widths[1] < widths[0] / 3


def test_plain_labels_are_scored_by_the_share_of_words_that_are_right() -> None:
    scores = score_words(tags("DT NN VB|NN"), tags("DT VB VB|NN"))
    assert (scores.sentences, scores.words) == (2, 4)
    assert scores.accuracy == pytest.approx(3 / 4)
    assert scores.accuracy_interval.low <= scores.accuracy <= scores.accuracy_interval.high
    assert [(each.name, each.support, each.found) for each in scores.labels] == [
        ("DT", 1, 1), ("NN", 2, 1), ("VB", 1, 2)
    ]  # fmt: skip
    assert scores.labels[1].recall == pytest.approx(1 / 2)


def test_the_order_of_sentences_does_not_matter() -> None:
    order = list(range(3))
    random.Random(1).shuffle(order)
    turned = score_entities([EXPECTED[n] for n in order], [PREDICTED[n] for n in order], resamples=5)
    assert turned.kinds == score_entities(EXPECTED, PREDICTED, resamples=5).kinds
    assert word_accuracy(EXPECTED, PREDICTED) == turned.accuracy


@pytest.mark.parametrize("score", [score_entities, score_words, brief_entity_scores])
def test_what_cannot_be_compared_is_refused(score) -> None:
    with pytest.raises(DataError, match="There are 0 sentences"):
        score([], [])
    with pytest.raises(DataError, match="1 sentences of 2 tags are scored against 1 of 3 words"):
        score([["O", "O", "O"]], [["O", "O"]])
