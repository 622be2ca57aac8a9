"""`heed evaluate` of a translator."""

from dataclasses import asdict

import typer

from heed.api import evaluation_pairs
from heed.cli.columns import task_columns
from heed.cli.evaluating.asked import Asked, say_empty, timed
from heed.cli.intervals import with_interval
from heed.cli.output import print_json
from heed.prediction.translator import Evaluation, Translator
from heed.tasks.translating import Search


def evaluate(model: Translator, asked: Asked, search: Search) -> None:
    """Print BLEU, chrF and the loss."""
    file = evaluation_pairs(asked.data, task_columns(asked.columns, "translate"))
    say_empty(file.empty, file.empty_places, "pairs with an empty side")
    found, seconds = timed(lambda: model.evaluate(file.pairs, search))
    asked.write(each.text for each in found.translations)
    if asked.json:
        summary = {name: value for name, value in vars(found).items() if name != "translations"}
        print_json({**summary, "search": asdict(search), "seconds": seconds})
        return
    _print(found, seconds)


def _print(found: Evaluation, seconds: float) -> None:
    scores = found.scores
    typer.echo(f"BLEU {with_interval(scores.bleu, found.interval, '.2f')}  {scores.bleu_signature}")
    typer.echo(f"chrF {scores.chrf:.2f}  {scores.chrf_signature}")
    typer.echo(f"exact {scores.exact:.1%} of {scores.count:,} texts")
    typer.echo(f"loss {found.loss:.4f} nats a token, perplexity {found.perplexity:.2f}")
    typer.echo(f"source: {found.source_counts}; target: {found.target_counts}; {seconds:.1f} s")
