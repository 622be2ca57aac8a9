"""`heed evaluate` of a captioner."""

from dataclasses import asdict

import typer

from heed.api import evaluation_captions
from heed.cli.columns import task_columns
from heed.cli.evaluating.asked import Asked, say_broken, timed
from heed.cli.intervals import with_interval
from heed.cli.output import print_json
from heed.prediction.picture_captioner import CaptionEvaluation, PictureCaptioner
from heed.tasks.translating import Search


def evaluate(model: PictureCaptioner, asked: Asked, search: Search) -> None:
    """Print BLEU-1 to BLEU-4 and chrF."""
    records = evaluation_captions(asked.data, task_columns(asked.columns, "caption"))
    found, seconds = timed(lambda: model.evaluate(records, search))
    asked.write(str(each.text) for each in found.captions)
    left_out = say_broken(found.broken)
    if asked.json:
        summary = {name: value for name, value in vars(found).items() if name != "captions"}
        print_json({**summary, "search": asdict(search), "seconds": seconds})
        return
    _print(found)
    typer.echo(f"{left_out}{seconds:.1f} s")


def _print(found: CaptionEvaluation) -> None:
    scores = found.scores
    for order, bleu in enumerate(scores.bleu[:-1], start=1):
        typer.echo(f"BLEU-{order} {bleu:.2f}")
    last = with_interval(scores.bleu[-1], found.interval, ".2f")
    typer.echo(f"BLEU-{len(scores.bleu)} {last}  {scores.bleu_signature}")
    typer.echo(f"chrF {scores.chrf:.2f}  {scores.chrf_signature}")
    typer.echo(
        f"exact {scores.exact:.1%} of {scores.count:,} captions; {scores.exact_first:.1%} by the first reference"
    )
