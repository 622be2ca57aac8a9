"""`heed predict` of a classifier of texts, or of pairs of them."""

import typer

from heed.cli.columns import column_names
from heed.cli.inputs import read_text_pairs, read_texts
from heed.cli.output import print_json
from heed.cli.predicting.asked import Asked, say_unseen
from heed.prediction.classifier import Classification, Classifier

OPTIONS = ("best",)


def predict(model: Classifier, asked: Asked) -> None:
    """Print the label of each text, or its number, with the probability."""
    best = asked.best()
    if model.texts_each == 2:
        found_in_order = model.stream(read_text_pairs(asked.inputs, column_names(asked.columns, "FIRST,SECOND")))
    else:
        found_in_order = model.stream(read_texts(asked.inputs, column_names(asked.columns, "TEXT")))
    for found in found_in_order:
        if asked.json:
            print_json(found)
        else:
            _print(found, best)


def _print(found: Classification, best: int | None) -> None:
    if found.number is not None:
        typer.echo(f"{found.number:.4f}")
    else:
        ranked = sorted(found.probabilities.items(), key=lambda each: -each[1])
        typer.echo("\t".join(f"{name}\t{probability:.4f}" for name, probability in ranked[: best or 1]))
    say_unseen(found.cut, found.unknown, " | ".join(found.texts))
