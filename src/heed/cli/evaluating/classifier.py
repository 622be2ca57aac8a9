"""`heed evaluate` of a classifier of texts, or of pairs of them."""

import typer

from heed.api import evaluation_records
from heed.cli.columns import task_columns
from heed.cli.evaluating.asked import Asked, say_empty, timed
from heed.cli.output import print_json
from heed.cli.score_tables import score_lines
from heed.prediction.classifier import Classifier


def evaluate(model: Classifier, asked: Asked) -> None:
    """Print accuracy, F1 and the confusion matrix, or correlations of numbers."""
    columns = task_columns(asked.columns, "pair" if model.texts_each == 2 else "classify")
    file = evaluation_records(asked.data, model.texts_each, columns)
    say_empty(file.empty, file.empty_places, "records without text or label")
    found, seconds = timed(lambda: model.evaluate(file.records))
    asked.write(each.label if each.label is not None else f"{each.number:g}" for each in found.predictions)
    if asked.json:
        print_json({"scores": found.scores, "counts": found.counts, "seconds": seconds})
        return
    for line in score_lines(found.scores):
        typer.echo(line)
    rate = len(found.predictions) / seconds if seconds else 0.0
    typer.echo(f"{found.counts}; {seconds:.1f} s, {rate:,.0f} texts a second")
