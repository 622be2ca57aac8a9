"""`heed evaluate` of a pre-trained BERT."""

import math

import typer

from heed.cli.evaluating.asked import Asked, timed
from heed.cli.output import print_json
from heed.errors import UsageError
from heed.prediction.filler import WordFiller


def evaluate(model: WordFiller, asked: Asked) -> None:
    """Print how well hidden words of other documents are found, and pairs told apart."""
    if asked.save is not None:
        raise UsageError("--save means nothing here: a pre-trained BERT is scored on words that are hidden at random.")
    scores, seconds = timed(lambda: model.evaluate(asked.data, asked.columns))
    if asked.json:
        print_json({"scores": scores, "perplexity": math.exp(scores.loss), "seconds": seconds})
        return
    typer.echo(f"loss {scores.loss:.4f} nats a hidden token, perplexity {math.exp(scores.loss):.2f}")
    typer.echo(f"{scores.accuracy:.2%} of the hidden tokens found")
    if scores.next_accuracy is not None:
        typer.echo(f"{scores.next_accuracy:.2%} of the pairs told apart")
    typer.echo(f"{seconds:.1f} s")
