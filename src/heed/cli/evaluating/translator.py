"""`heed evaluate` of a translator."""

from collections.abc import Iterator
from dataclasses import asdict

from heed.cli.columns import task_columns
from heed.cli.evaluating.asked import Asked, View, report, timed
from heed.cli.intervals import with_interval
from heed.prediction.evaluating import evaluate_translator
from heed.prediction.translator import Evaluation, Translator
from heed.tasks.translating import Search


def evaluate(model: Translator, asked: Asked, search: Search) -> None:
    """Print BLEU, chrF and the loss."""
    choice = asked.choice(task_columns(asked.columns, "translate"))
    found, seconds = timed(lambda: evaluate_translator(model, choice, search))

    def facts(part: Evaluation) -> dict[str, object]:
        summary = {name: value for name, value in vars(part).items() if name != "translations"}
        return {**summary, "search": asdict(search)}

    report(asked, found, seconds, View(_lines, facts, _said))


def _said(found: Evaluation) -> Iterator[str]:
    return (each.text for each in found.translations)


def _lines(found: Evaluation) -> Iterator[str]:
    scores = found.scores
    yield f"BLEU {with_interval(scores.bleu, found.interval, '.2f')}  {scores.bleu_signature}"
    yield f"chrF {scores.chrf:.2f}  {scores.chrf_signature}"
    yield f"exact {scores.exact:.1%} of {scores.count:,} texts"
    yield f"loss {found.loss:.4f} nats a token, perplexity {found.perplexity:.2f}"
    yield f"source: {found.source_counts}; target: {found.target_counts}"
