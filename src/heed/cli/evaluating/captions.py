"""`heed evaluate` of a captioner."""

from collections.abc import Iterator
from dataclasses import asdict

from heed.cli.columns import task_columns
from heed.cli.evaluating.asked import Asked, View, report, timed
from heed.cli.intervals import with_interval
from heed.prediction.evaluating import evaluate_captioner
from heed.prediction.picture_captioner import CaptionEvaluation, PictureCaptioner
from heed.tasks.translating import Search


def evaluate(model: PictureCaptioner, asked: Asked, search: Search) -> None:
    """Print BLEU-1 to BLEU-4 and chrF."""
    choice = asked.choice(task_columns(asked.columns, "caption"))
    found, seconds = timed(lambda: evaluate_captioner(model, choice, search))

    def facts(part: CaptionEvaluation) -> dict[str, object]:
        return {"scores": part.scores, "interval": part.interval, "search": asdict(search)}

    report(asked, found, seconds, View(_lines, facts, _said))


def _said(found: CaptionEvaluation) -> Iterator[str]:
    return (str(each.text) for each in found.captions)


def _lines(found: CaptionEvaluation) -> Iterator[str]:
    scores = found.scores
    for order, bleu in enumerate(scores.bleu[:-1], start=1):
        yield f"BLEU-{order} {bleu:.2f}"
    last = with_interval(scores.bleu[-1], found.interval, ".2f")
    yield f"BLEU-{len(scores.bleu)} {last}  {scores.bleu_signature}"
    yield f"chrF {scores.chrf:.2f}  {scores.chrf_signature}"
    yield f"exact {scores.exact:.1%} of {scores.count:,} captions; {scores.exact_first:.1%} by the first reference"
