"""`heed evaluate` of a classifier of images."""

from collections.abc import Iterator

from heed.cli.columns import task_columns
from heed.cli.evaluating.asked import Asked, View, report, timed
from heed.cli.score_tables import score_lines
from heed.prediction.evaluating import evaluate_images
from heed.prediction.picture_classifier import PictureClassifier, PictureEvaluation


def evaluate(model: PictureClassifier, asked: Asked) -> None:
    """Print accuracy, F1 and the confusion matrix."""
    choice = asked.choice(task_columns(asked.columns, "image"))
    found, seconds = timed(lambda: evaluate_images(model, choice))
    report(asked, found, seconds, View(_lines, _facts, _said, rated=True))


def _lines(found: PictureEvaluation) -> Iterator[str]:
    return score_lines(found.scores, "images")


def _facts(found: PictureEvaluation) -> dict[str, object]:
    return {"scores": found.scores}


def _said(found: PictureEvaluation) -> Iterator[str]:
    return (str(each.label) for each in found.predictions)
