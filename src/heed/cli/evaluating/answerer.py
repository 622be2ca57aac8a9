"""`heed evaluate` of a model that answers questions."""

from collections.abc import Iterator

import typer

from heed.api import evaluation_questions
from heed.cli.evaluating.asked import Asked, say_empty, timed
from heed.cli.intervals import with_interval
from heed.cli.output import print_json
from heed.errors import UsageError
from heed.prediction.answerer import Answerer
from heed.tasks.answer_scores import AnswerScores


def evaluate(model: Answerer, asked: Asked) -> None:
    """Print exact match and F1."""
    if asked.columns is not None:
        raise UsageError(f"--columns {asked.columns} is for tables; questions come in the format of SQuAD.")
    splits = evaluation_questions(asked.data)
    say_empty(splits.empty, splits.empty_places, "questions without words, or on a paragraph without any,")
    found, seconds = timed(lambda: model.evaluate(splits.test))
    asked.write(each.text for each in found.answers)
    if asked.json:
        scores = {name: getattr(found.scores, name) for name in found.scores.__slots__ if name != "each"}
        threshold = found.no_answer_threshold
        print_json({"scores": scores, "counts": found.counts, "no_answer_threshold": threshold, "seconds": seconds})
        return
    for line in _lines(found.scores):
        typer.echo(line)
    if found.no_answer_threshold is not None:
        typer.echo(f"'no answer' is said where it leads by more than {found.no_answer_threshold:.3g}")
    typer.echo(f"{found.counts}; {seconds:.1f} s")


def _lines(scores: AnswerScores) -> Iterator[str]:
    for name, value, interval in (
        ("exact match", scores.exact, scores.exact_interval),
        ("F1", scores.f1, scores.f1_interval),
    ):
        yield f"{name} {with_interval(value, interval, '.2f')}"
    yield f"{scores.count:,} questions"
    for name, part in (("answerable", scores.answerable), ("impossible", scores.impossible)):
        if part is not None:
            yield f"{name}: {part.count:,} questions, exact match {part.exact:.2f}, F1 {part.f1:.2f}"
