"""`heed evaluate` of word vectors: analogies, and similarities as people see them."""

from collections.abc import Iterator

import typer

from heed.cli.evaluating.asked import Asked, timed
from heed.cli.intervals import with_interval
from heed.cli.output import print_json
from heed.errors import UsageError
from heed.prediction.evaluating import evaluate_vectors
from heed.prediction.word_vectors import WordVectors
from heed.tasks.vector_scores import AnalogyScore, AnalogyScores


def evaluate(model: WordVectors, asked: Asked) -> None:
    """Print the share of analogies that are solved, and the correlation with what people say."""
    if asked.columns is not None or asked.save is not None:
        raise UsageError("--columns and --save mean nothing here: give files of analogies or of pairs of words.")
    evaluated, seconds = timed(lambda: evaluate_vectors(model, asked.choice(None)))
    found = evaluated.parts[0].evaluation  # analogies are no training examples: there is nothing to tell apart
    if asked.json:
        print_json({"analogies": found.analogies, "similarities": found.similarities, "seconds": seconds})
        return
    for name, scores in found.analogies.items():
        typer.echo(name)
        for line in _lines(scores):
            typer.echo(line)
    for name, score in found.similarities.items():
        spearman = with_interval(score.spearman, score.interval, ".4f")
        typer.echo(f"{name}\nSpearman {spearman}, {score.covered:,} of {score.pairs:,} pairs")
        if score.note:
            typer.echo(score.note)
    typer.echo(f"{seconds:.1f} s")


def _lines(scores: AnalogyScores) -> Iterator[str]:
    rows = [*scores.sections, *(each for each in (scores.semantic, scores.syntactic) if each.questions), scores.total]
    width = max(len(row.name) for row in rows)
    yield f"{'':{width}}  accuracy  correct  covered  questions"
    for row in rows:
        yield _row(row, width)


def _row(row: AnalogyScore, width: int) -> str:
    return f"{row.name:{width}}  {row.accuracy:>8.2%}{row.correct:>9,}{row.covered:>9,}{row.questions:>11,}"
