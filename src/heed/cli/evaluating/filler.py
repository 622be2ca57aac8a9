"""`heed evaluate` of a pre-trained BERT."""

import math
from collections.abc import Iterator
from functools import partial

from heed.cli.columns import column_names
from heed.cli.evaluating.asked import Asked, View, report, timed
from heed.errors import UsageError
from heed.prediction.evaluating import evaluate_filler
from heed.prediction.filler import WordFiller
from heed.tasks.pretrain import PretrainingScores


def evaluate(model: WordFiller, asked: Asked) -> None:
    """Print how well hidden words of other documents are found, and the next-sentence accuracy."""
    if asked.save is not None:
        raise UsageError("--save means nothing here: a pre-trained BERT is scored on words that are hidden at random.")
    choice = asked.choice(column_names(asked.columns, "TEXT"))
    found, seconds = timed(lambda: evaluate_filler(model, choice))
    report(asked, found, seconds, View(partial(_lines, model.settings.pairs), _facts))


def _facts(scores: PretrainingScores) -> dict[str, object]:
    return {"scores": scores, "perplexity": math.exp(scores.loss)}


def _lines(learnt_pairs: bool, scores: PretrainingScores) -> Iterator[str]:
    yield f"loss {scores.loss:.4f} nats a hidden token, perplexity {math.exp(scores.loss):.2f}"
    yield f"{scores.accuracy:.2%} of the hidden tokens found"
    if scores.next_accuracy is not None:
        yield f"next-sentence accuracy {scores.next_accuracy:.2%}"
    elif learnt_pairs:
        yield "next-sentence accuracy not measured: no two documents of similar length to draw pairs from"
