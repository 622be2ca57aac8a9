"""`heed predict` of a model that answers questions on paragraphs."""

from dataclasses import replace

import typer

from heed.cli.columns import column_names
from heed.cli.inputs import brief, read_text_pairs
from heed.cli.output import print_json
from heed.cli.predicting.asked import Asked, pieces
from heed.prediction.answerer import Answer, Answerer

OPTIONS = ("best", "threshold")


def predict(model: Answerer, asked: Asked) -> None:
    """Print the answer to each question; inputs are a question and its paragraph, or a table of both."""
    best, threshold = asked.best(), asked.option("threshold", float)
    if best is not None:
        model.search = replace(model.search, answers=best)
    if threshold is not None:
        model.search = replace(model.search, no_answer_threshold=threshold)
    pairs = read_text_pairs(asked.inputs, column_names(asked.columns, "QUESTION,PARAGRAPH"))
    for answer in model.stream((pair[0], pair[1]) for pair in pairs):
        if asked.json:
            print_json(answer)
        else:
            _print(answer, best)


def _print(answer: Answer, best: int | None) -> None:
    if not answer.text:
        typer.echo(f"heed: the paragraph has no answer to {brief(answer.question)}", err=True)
    if best is None:
        typer.echo(answer.text)
    else:
        options = [(answer.text, answer.start, answer.end, answer.probability)] if answer.text else []
        options += [(each.text, each.start, each.end, each.probability) for each in answer.alternatives]
        for rank, (text, start, end, probability) in enumerate(options[:best], start=1):
            typer.echo(f"{rank}\t{probability:.4f}\t{start}\t{end}\t{text}")
    if answer.cut:
        typer.echo(f"heed: {pieces(answer.cut)} cut off the question {brief(answer.question)}", err=True)
    if answer.unknown:
        typer.echo(f"heed: {pieces(answer.unknown)} unknown in the question or its paragraph", err=True)
