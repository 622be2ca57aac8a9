"""Exact match and F1 of answers: cases worked by hand, and the published figures of three systems on SQuAD."""

import json
from pathlib import Path

import pytest

from heed.data.questions import read_questions
from heed.data.records import AnswerText, Question
from heed.errors import DataError
from heed.tasks.answer_scores import normalised, score_answers, score_each, word_f1
from heed.tasks.no_answer import choose_threshold

SQUAD = Path(__file__).parents[3] / "shared" / "data" / "squad_v1.1"


def asked(*answers: str) -> Question:
    texts = tuple(AnswerText(answer, 0) for answer in answers)
    return Question("1", "", " ".join(answers), "Which?", texts, impossible=not answers)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The  Cat!", "cat"),
        ("a.k.a.", "aka"),
        ("an A-the b", "athe b"),
        ("the", ""),
        ("Thé café", "thé café"),
        ("theatre of a nation", "theatre of nation"),
        ("“quoted”", "“quoted”"),  # only the punctuation of ASCII is removed
        ("cat–a–dog", "cat– –dog"),  # a space takes the place of an article
        (" \n\t", ""),
    ],
)
def test_texts_are_compared_without_case_marks_articles_and_white_space(text: str, expected: str) -> None:
    assert normalised(text) == expected


@pytest.mark.parametrize(
    ("predicted", "reference", "f1"),
    [
        ("big red dog", "red dog", 0.8),  # precision 2/3, recall 1
        ("dog dog", "dog", 2 / 3),  # a word is matched as often as it stands in both
        ("the", "a", 0.0),  # nothing is left of either
        ("cat", "dog", 0.0),
        ("The Dog.", "a dog", 1.0),
    ],
)
def test_f1_is_over_words(predicted: str, reference: str, f1: float) -> None:
    assert word_f1(predicted, reference) == pytest.approx(f1)


def test_the_best_of_several_references_counts_and_an_unanswered_question_is_0() -> None:
    questions = [asked("red dog", "dog"), asked("cat"), asked("cat")]
    scores = score_answers(["big dog", "cats", None], questions)
    assert [score.f1 for score in scores.each] == pytest.approx([2 / 3, 0, 0])
    assert (scores.count, scores.exact) == (3, 0)
    assert scores.f1 == pytest.approx(100 * 2 / 9)
    assert scores.answerable is None and scores.impossible is None


def test_to_say_nothing_is_right_for_impossible_questions_alone() -> None:
    scores = score_answers(["", "dog", "", "the"], [asked(), asked(), asked("dog"), asked()])
    assert [score.exact for score in scores.each] == [1, 0, 0, 1]
    assert [score.f1 for score in scores.each] == [1, 0, 0, 1]
    assert scores.impossible is not None and scores.answerable is not None
    assert (scores.impossible.count, scores.impossible.exact) == (3, pytest.approx(200 / 3))
    assert (scores.answerable.count, scores.answerable.f1) == (1, 0)


def test_without_impossible_questions_an_answer_of_articles_alone_has_no_f1() -> None:
    (score,) = score_each(["a"], [asked("the")])
    assert (score.exact, score.f1) == (1, 0)
    first, _ = score_each(["a", ""], [asked("the"), asked()])
    assert (first.exact, first.f1) == (1, 1)


def test_beside_a_real_reference_one_of_articles_alone_does_not_count() -> None:
    first, _ = score_each(["", ""], [asked("the", "dog"), asked()])
    assert (first.exact, first.f1) == (0, 0)


def test_the_interval_holds_the_score_and_is_a_point_where_all_are_alike() -> None:
    questions = [asked("dog")] * 40
    scores = score_answers(["dog"] * 30 + ["cat"] * 10, questions)
    assert scores.f1_interval.low < 75 == scores.f1 < scores.f1_interval.high
    alike = score_answers(["dog"] * 40, questions)
    assert alike.exact_interval.low == alike.exact_interval.high == 100


def test_predictions_without_questions_are_refused() -> None:
    with pytest.raises(DataError, match="2 predictions and 1 questions"):
        score_answers(["a", "b"], [asked("a")])
    with pytest.raises(DataError, match="0 questions"):
        score_answers([], [])


def test_the_threshold_is_where_f1_is_highest() -> None:
    questions = [asked("dog"), asked("cat"), asked(), asked("cow"), asked()]
    margins = [-3.0, -1.0, 0.0, 1.0, 2.0]
    assert -1 < choose_threshold(margins, ["dog", "cat", "x", "wrong", "y"], questions) < 0
    assert choose_threshold(margins, ["dog", "cat", "x", "cow", "y"], questions) in (-0.5, 1.5)
    assert choose_threshold(margins, ["dog"] * 5, [asked("dog")] * 4 + [asked()]) == 1.5


def test_a_threshold_beyond_all_margins_answers_all_or_nothing() -> None:
    assert choose_threshold([1.0, 2.0], ["no", "no"], [asked("dog"), asked()]) == 0.0
    assert choose_threshold([3.0, 2.0], ["dog", "dog"], [asked("dog"), asked("dog")]) == 4.0


def test_no_line_is_drawn_between_equal_margins() -> None:
    assert choose_threshold([1.0, 1.0, 1.0], ["dog", "dog", "x"], [asked("dog"), asked("dog"), asked()]) == 2.0


@pytest.mark.skipif(not SQUAD.is_dir(), reason="the data of SQuAD is not here")
@pytest.mark.parametrize(
    ("system", "exact", "f1"),
    [("BERT", 86.21, 92.20), ("Match-LSTM", 67.63, 76.76), ("Logistic", 40.14, 50.98)],
)
def test_systems_score_on_squad_what_was_published_of_them(system: str, exact: float, f1: float) -> None:
    (path,) = (SQUAD / "dev_predictions").glob(f"{system}*.json")
    predictions = json.loads(path.read_text(encoding="utf-8"))
    questions = read_questions([SQUAD / "dev-v1.1.json"]).questions
    scores = score_answers([predictions.get(question.id) for question in questions], questions, resamples=20)
    assert (round(scores.exact, 2), round(scores.f1, 2)) == (exact, f1)
