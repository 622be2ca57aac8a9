"""`heed evaluate` of a classifier of texts, or of pairs of them."""

from collections.abc import Iterator

from heed.cli.columns import task_columns
from heed.cli.evaluating.asked import Asked, View, report, timed
from heed.cli.score_tables import score_lines
from heed.prediction.classifier import Classifier, ClassifierEvaluation
from heed.prediction.evaluating import evaluate_classifier


def evaluate(model: Classifier, asked: Asked) -> None:
    """Print accuracy, F1 and the confusion matrix, or correlations of numbers."""
    choice = asked.choice(task_columns(asked.columns, "pair" if model.texts_each == 2 else "classify"))
    found, seconds = timed(lambda: evaluate_classifier(model, choice))
    report(asked, found, seconds, View(_lines, _facts, _said, rated=True))


def _lines(found: ClassifierEvaluation) -> Iterator[str]:
    yield from score_lines(found.scores)
    yield str(found.counts)


def _facts(found: ClassifierEvaluation) -> dict[str, object]:
    return {"scores": found.scores, "counts": found.counts}


def _said(found: ClassifierEvaluation) -> Iterator[str]:
    return (each.label if each.label is not None else f"{each.number:g}" for each in found.predictions)
