"""`heed evaluate` of a model that answers questions."""

from collections.abc import Iterator

from heed.cli.evaluating.asked import Asked, View, report, timed
from heed.cli.intervals import with_interval
from heed.errors import UsageError
from heed.prediction.answerer import Answerer, AnswererEvaluation
from heed.prediction.evaluating import evaluate_answerer
from heed.tasks.answer_scores import AnswerScores


def evaluate(model: Answerer, asked: Asked) -> None:
    """Print exact match and F1."""
    if asked.columns is not None:
        raise UsageError(f"--columns {asked.columns} is for tables; questions come in the format of SQuAD.")
    found, seconds = timed(lambda: evaluate_answerer(model, asked.choice(None)))
    report(asked, found, seconds, View(_lines, _facts, _said))


def _facts(found: AnswererEvaluation) -> dict[str, object]:
    scores = {name: getattr(found.scores, name) for name in found.scores.__slots__ if name != "each"}
    return {"scores": scores, "counts": found.counts, "no_answer_threshold": found.no_answer_threshold}


def _said(found: AnswererEvaluation) -> Iterator[str]:
    return (each.text for each in found.answers)


def _lines(found: AnswererEvaluation) -> Iterator[str]:
    yield from _score_lines(found.scores)
    if found.no_answer_threshold is not None:
        yield f"'no answer' is said where it leads by more than {found.no_answer_threshold:.3g}"
    yield str(found.counts)


def _score_lines(scores: AnswerScores) -> Iterator[str]:
    for name, value, interval in (
        ("exact match", scores.exact, scores.exact_interval),
        ("F1", scores.f1, scores.f1_interval),
    ):
        yield f"{name} {with_interval(value, interval, '.2f')}"
    yield f"{scores.count:,} questions"
    for name, part in (("answerable", scores.answerable), ("impossible", scores.impossible)):
        if part is not None:
            yield f"{name}: {part.count:,} questions, exact match {part.exact:.2f}, F1 {part.f1:.2f}"
