"""`heed predict` of a language model: it writes on."""

from dataclasses import replace

import typer

from heed.cli.columns import column_names
from heed.cli.inputs import read_texts
from heed.cli.output import print_json
from heed.cli.predicting.asked import SEARCH, Asked, say_unseen
from heed.prediction.writer import Writer, Writing

OPTIONS = (*SEARCH, "best", "length", "line")


def predict(model: Writer, asked: Asked) -> None:
    """Print each prompt with what the model writes after it."""
    length = asked.option("length", int)
    extent = model.extent if length is None else replace(model.extent, length=length)
    extent = replace(extent, line=True) if asked.options.get("line") else extent
    prompts = read_texts(asked.inputs, column_names(asked.columns, "TEXT"))
    for writing in model.stream(prompts, extent, asked.search(model.search)):
        if asked.json:
            print_json(writing)
        else:
            _print(writing, asked.best())


def _print(writing: Writing, best: int | None) -> None:
    if best is None:
        typer.echo(writing.prompt + writing.text)
    else:
        for rank, version in enumerate(writing.versions, start=1):
            typer.echo(f"{rank}\t{version.score:.4f}\t{writing.prompt}{version.text}")
    say_unseen(writing.cut, writing.unknown, writing.prompt)
