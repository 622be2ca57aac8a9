"""`heed predict` of a model that answers questions on paragraphs."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import typer

from heed.cli.columns import column_names
from heed.cli.inputs import brief, read_text_pairs, read_texts
from heed.cli.output import print_json
from heed.cli.predicting.asked import Asked, pieces
from heed.errors import UsageError
from heed.files.whole import read_whole
from heed.prediction.answerer import Answer, Answerer, Pair

OPTIONS = ("best", "threshold")
LARGEST_PARAGRAPH = 1_000_000  # bytes of a file; more is a book


def predict(model: Answerer, asked: Asked) -> None:
    """Print the answer to each question; inputs are a question and its paragraph, or a table of both."""
    best, threshold, search = asked.best(), asked.option("threshold", float), model.search
    if best is not None:
        search = replace(search, answers=best)
    if threshold is not None:
        search = replace(search, no_answer_threshold=threshold)
    for answer in model.stream(_pairs(asked), search):
        if asked.json:
            print_json(answer)
        else:
            _print(answer, best)


def _pairs(asked: Asked) -> Iterator[Pair]:
    """Yield questions, each with its paragraph; where the second of two inputs is a file, that is the paragraph."""
    inputs, columns = asked.inputs, column_names(asked.columns, "QUESTION,PARAGRAPH")
    if len(inputs) == 1 and inputs[0].lower().endswith((".json", ".json.gz")):
        raise UsageError(
            f"{inputs[0]} is no table of questions and paragraphs. A file in the format of SQuAD is answered with: "
            f"heed evaluate RUN {inputs[0]} --save answers.txt"
        )
    if len(inputs) == 2 and columns is None and os.path.isfile(inputs[1]):
        paragraph = read_whole(Path(inputs[1]), LARGEST_PARAGRAPH)
        yield from ((question, paragraph) for question in read_texts(inputs[:1], None))
    else:
        yield from ((pair[0], pair[1]) for pair in read_text_pairs(inputs, columns))


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
