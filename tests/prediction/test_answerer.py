"""A trained answerer in use: answers cut from the paragraph, and results that do not depend on the batch."""

import unicodedata
from dataclasses import replace

import pytest
import torch
from torch import nn

from heed.data.records import AnswerText, Question
from heed.errors import DataError, UsageError
from heed.models.encoder import EncoderSettings
from heed.models.span_reader import SpanReader
from heed.prediction import answerer as module
from heed.prediction.answerer import Answerer
from heed.tasks.answer_search import SpanSearch
from heed.tasks.answer_windows import WindowSettings
from heed.tokens.settings import TokenizerSettings
from heed.tokens.training import train_tokenizer

CONTEXT = "Ann lives in  Huế, and Bob lives in São Paulo. Eve was born in 1951 in Đà Nẵng."
TOKENIZER = train_tokenizer([CONTEXT, "Where does she live?"], TokenizerSettings(kind="wordpiece", size=150))
SETTINGS = EncoderSettings(width=8, heads=2, layers=1, feedforward=12, dropout=0.0, segments=2, longest=24)
PAIRS = [("Where does Ann live?", CONTEXT), ("Where?", "Bob lives in São Paulo."), ("When was Eve born?", CONTEXT)]


@pytest.fixture(scope="module")
def answerer() -> Answerer:
    torch.manual_seed(8)
    model = SpanReader(SETTINGS, TOKENIZER.size)
    nn.init.normal_(model.head.weight)
    return Answerer(model, TOKENIZER, WindowSettings(stride=4, longest_question=6), SpanSearch(longest_answer=4))


def with_threshold(answerer: Answerer, threshold: float | None) -> Answerer:
    search = replace(answerer.search, no_answer_threshold=threshold)
    return Answerer(answerer.model, answerer.tokenizer, answerer.windows, search)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_an_answer_is_cut_from_the_paragraph_as_it_was_given(answerer: Answerer, form: str) -> None:
    for question, context in PAIRS:
        given = unicodedata.normalize(form, context)  # type: ignore[arg-type]
        answer = answerer.predict(question, given)
        assert answer.question == question
        for option in (answer, *answer.alternatives):
            assert option.text == given[option.start : option.end]
            assert option.text == option.text.strip() != ""


def test_answers_are_told_best_first_with_their_probabilities(answerer: Answerer) -> None:
    answer = answerer.predict(*PAIRS[0])
    probabilities = [answer.probability, *(option.probability for option in answer.alternatives)]
    assert len(probabilities) == answerer.search.answers
    assert probabilities == sorted(probabilities, reverse=True)
    assert 0 < sum(probabilities) < 1


def test_the_composed_and_the_decomposed_paragraph_have_the_same_answer(answerer: Answerer) -> None:
    for question, context in PAIRS:
        composed = answerer.predict(question, unicodedata.normalize("NFC", context))
        apart = answerer.predict(question, unicodedata.normalize("NFD", context))
        assert unicodedata.normalize("NFC", apart.text) == composed.text
        assert apart.probability == pytest.approx(composed.probability)


def test_an_answer_does_not_depend_on_its_companions(answerer: Answerer) -> None:
    for pair, together in zip(PAIRS * 3, answerer.stream(PAIRS * 3), strict=True):
        alone = answerer.predict(*pair)
        assert (alone.text, alone.start, alone.end) == (together.text, together.start, together.end)
        assert alone.probability == pytest.approx(together.probability, abs=1e-6)


def test_a_stream_of_any_length_is_answered_in_order(answerer: Answerer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHUNK", 2)
    taken = []

    def endless():  # type: ignore[no-untyped-def]
        for number in range(10**9):
            taken.append(number)
            yield PAIRS[number % 3]

    stream = answerer.stream(endless())
    assert [next(stream).question for _ in range(5)] == [PAIRS[number % 3][0] for number in range(5)]
    assert len(taken) <= 6


def test_no_answer_is_given_where_its_margin_is_above_the_threshold(answerer: Answerer) -> None:
    margin = answerer.predict(*PAIRS[0]).no_answer_margin
    given = with_threshold(answerer, margin + 0.1).predict(*PAIRS[0])
    assert given.text != ""
    left = with_threshold(answerer, margin - 0.1).predict(*PAIRS[0])
    assert (left.text, left.start, left.end) == ("", 0, 0)
    assert left.alternatives[0].text == given.text
    assert left.no_answer_margin == given.no_answer_margin == margin
    shares = [left.probability, *(option.probability for option in left.alternatives)]
    assert 0 < sum(shares) < 1


def test_what_is_unknown_or_cut_is_counted(answerer: Answerer) -> None:
    answer = answerer.predict("Where does she live? Where does she live?", CONTEXT + " ☃")
    assert answer.unknown == 1
    assert answer.cut == len(TOKENIZER.ids_of(["Where does she live?"])[0]) * 2 - 6


def asked(*answers: str) -> Question:
    texts = tuple(AnswerText(answer, CONTEXT.index(answer)) for answer in answers)
    return Question("1", "", CONTEXT, PAIRS[0][0], texts, impossible=not answers)


def test_evaluation_scores_the_answers_that_prediction_gives(
    answerer: Answerer, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = answerer.predict(*PAIRS[0]).text
    monkeypatch.setattr(module, "CHUNK", 2)
    found = answerer.evaluate([asked(right), asked("1951", right), asked("Bob lives in")])
    assert [answer.text for answer in found.answers] == [right] * 3
    assert [score.exact for score in found.scores.each[:2]] == [1, 1]
    assert found.counts.tokens == 3 * sum(len(ids) for ids in TOKENIZER.ids_of(PAIRS[0]))
    assert found.no_answer_threshold is None


def test_an_answerer_that_says_nothing_is_right_on_impossible_questions(answerer: Answerer) -> None:
    silent = with_threshold(answerer, -1e9)
    found = silent.evaluate([asked(), asked(), asked("Bob")])
    assert found.scores.exact == pytest.approx(200 / 3)
    assert found.no_answer_threshold == -1e9


def test_nothing_to_evaluate_on_is_refused(answerer: Answerer) -> None:
    with pytest.raises(DataError, match="no questions to evaluate on"):
        answerer.evaluate([])


@pytest.mark.parametrize(
    ("pair", "said"),
    [
        ((" ", CONTEXT), "The question is ' '"),
        (("Where?", "\n"), "The paragraph of the question 'Where\\?' is empty"),
        (("Where?",), "as a pair of texts; this came"),
        ("ab", "as a pair of texts; this came: 'ab'"),
    ],
)
def test_what_is_no_question_on_a_paragraph_is_refused(answerer: Answerer, pair: tuple[str, str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        list(answerer.stream([pair]))
