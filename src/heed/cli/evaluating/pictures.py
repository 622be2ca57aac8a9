"""`heed evaluate` of a classifier of pictures."""

import typer

from heed.api import evaluation_images
from heed.cli.columns import task_columns
from heed.cli.evaluating.asked import Asked, say_broken, timed
from heed.cli.output import print_json
from heed.cli.score_tables import score_lines
from heed.prediction.picture_classifier import PictureClassifier


def evaluate(model: PictureClassifier, asked: Asked) -> None:
    """Print accuracy, F1 and the confusion matrix."""
    records = evaluation_images(asked.data, task_columns(asked.columns, "image"))
    found, seconds = timed(lambda: model.evaluate(records))
    asked.write(str(each.label) for each in found.predictions)
    left_out = say_broken(found.broken)
    if asked.json:
        print_json({"scores": found.scores, "broken": found.broken, "seconds": seconds})
        return
    for line in score_lines(found.scores, "pictures"):
        typer.echo(line)
    rate = len(found.predictions) / seconds if seconds else 0.0
    typer.echo(f"{left_out}{seconds:.1f} s, {rate:,.0f} pictures a second")
