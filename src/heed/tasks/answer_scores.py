"""Exact match and F1 of answers, word for word as the official scripts of SQuAD have them.

Before texts are compared they are put in lower case, and punctuation, the articles a, an, the and double white space
are removed. Of several references the best counts. A question without a prediction counts 0.

    version 1.1    every question has an answer (Rajpurkar et al. 2016)
    version 2.0    where any is impossible: to say nothing is right for these alone (Rajpurkar et al. 2018)
"""

import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from heed.data.records import Question
from heed.errors import DataError
from heed.tasks.bootstrap import RESAMPLES, SEED, BootstrapInterval, draw_counts, percentile_interval

NO_ANSWER = ""  # what version 2.0 writes where a paragraph does not answer

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


@dataclass(frozen=True, slots=True)
class AnswerScore:
    """How good one answer is, from 0 to 1."""

    exact: float
    f1: float


@dataclass(frozen=True, slots=True)
class PartScores:
    """Scores over a part of the questions, from 0 to 100."""

    count: int
    exact: float
    f1: float


@dataclass(frozen=True, slots=True)
class AnswerScores:
    """Scores over `count` questions, from 0 to 100; intervals are bootstrapped over the questions."""

    count: int
    exact: float
    exact_interval: BootstrapInterval
    f1: float
    f1_interval: BootstrapInterval
    answerable: PartScores | None  # both parts None where every question has an answer
    impossible: PartScores | None
    each: tuple[AnswerScore, ...]  # in the order of the questions


def score_answers(
    predictions: Sequence[str | None],
    questions: Sequence[Question],
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> AnswerScores:
    """Return the scores of the predictions, each for the question at its place; None is a question left unanswered."""
    _check(predictions, questions)
    each = score_each(predictions, questions)
    values_N2 = _values(each)
    drawn_R2 = np.concatenate([counts_rN @ values_N2 for counts_rN in draw_counts(len(each), resamples, seed)])
    exact_R, f1_R = (100 * drawn_R2 / len(each)).T
    exact, f1 = 100 * values_N2.mean(axis=0)
    impossible_N = np.array([question.impossible for question in questions])
    return AnswerScores(
        count=len(each),
        exact=float(exact),
        exact_interval=percentile_interval(exact_R, seed),
        f1=float(f1),
        f1_interval=percentile_interval(f1_R, seed),
        answerable=_part(values_N2[~impossible_N]) if impossible_N.any() else None,
        impossible=_part(values_N2[impossible_N]) if impossible_N.any() else None,
        each=tuple(each),
    )


def score_each(predictions: Sequence[str | None], questions: Sequence[Question]) -> list[AnswerScore]:
    """Return the score of each prediction; by the rules of version 2.0 where any question is impossible."""
    score = _score_version_2 if any(question.impossible for question in questions) else _score_version_1
    return [score(predicted, question) for predicted, question in zip(predictions, questions, strict=True)]


def normalised(text: str) -> str:
    """Return the text as the scripts compare it."""
    without_marks = text.lower().translate(_PUNCTUATION)
    return " ".join(_ARTICLES.sub(" ", without_marks).split())


def word_f1(predicted: str, reference: str) -> float:
    """Return the harmonic mean of precision and recall over the words; 0 where either has none."""
    predicted_words, reference_words = normalised(predicted).split(), normalised(reference).split()
    same = (Counter(predicted_words) & Counter(reference_words)).total()
    if same == 0:
        return 0.0
    precision, recall = same / len(predicted_words), same / len(reference_words)
    return 2 * precision * recall / (precision + recall)


def _score_version_1(predicted: str | None, question: Question) -> AnswerScore:
    if predicted is None:
        return AnswerScore(0.0, 0.0)
    return _best(predicted, [answer.text for answer in question.answers], word_f1)


def _score_version_2(predicted: str | None, question: Question) -> AnswerScore:
    if predicted is None:
        return AnswerScore(0.0, 0.0)
    # An answer of which nothing is left to compare ("the") counts as none at all.
    references = [answer.text for answer in question.answers if normalised(answer.text)]
    return _best(predicted, references or [NO_ANSWER], _f1_or_both_empty)


def _f1_or_both_empty(predicted: str, reference: str) -> float:
    if not normalised(predicted) or not normalised(reference):
        return float(normalised(predicted) == normalised(reference))
    return word_f1(predicted, reference)


def _best(predicted: str, references: Sequence[str], f1: Callable[[str, str], float]) -> AnswerScore:
    exact = max(float(normalised(predicted) == normalised(reference)) for reference in references)
    return AnswerScore(exact, max(f1(predicted, reference) for reference in references))


def _values(each: Sequence[AnswerScore]) -> np.ndarray:
    return np.array([(score.exact, score.f1) for score in each], dtype=np.float64)


def _part(values_N2: np.ndarray) -> PartScores | None:
    if not len(values_N2):
        return None
    exact, f1 = 100 * values_N2.mean(axis=0)
    return PartScores(len(values_N2), float(exact), float(f1))


def _check(predictions: Sequence[str | None], questions: Sequence[Question]) -> None:
    if len(predictions) != len(questions):
        raise DataError(
            f"There are {len(predictions)} predictions and {len(questions)} questions. "
            f"Give one prediction for each question, in the same order."
        )
    if not questions:
        raise DataError("There are 0 questions to score. Give at least one.")
