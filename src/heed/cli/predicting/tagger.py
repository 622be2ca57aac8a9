"""`heed predict` of a tagger."""

from collections.abc import Sequence
from pathlib import Path

import typer

from heed.cli.columns import column_names
from heed.cli.inputs import brief, read_texts
from heed.cli.output import print_json
from heed.cli.predicting.asked import Asked, say_unseen
from heed.errors import UsageError
from heed.prediction.tagger import Tagging, WordTagger

OPTIONS = ()
TAGGED = (".conll", ".conllu", ".iob", ".iob2", ".bio")  # endings of files that taggers learn from


def predict(model: WordTagger, asked: Asked) -> None:
    """Print the entities of each text, one a line, or its words with their labels."""
    _refuse_tagged_words(asked.inputs)
    for number, found in enumerate(model.stream(read_texts(asked.inputs, column_names(asked.columns, "TEXT")))):
        if asked.json:
            print_json(found)
            continue
        if number:
            typer.echo("")  # a blank line between texts, as in the files that taggers learn from
        _print(found, model.known.plain)


def _refuse_tagged_words(inputs: Sequence[str]) -> None:
    if len(inputs) == 1 and Path(inputs[0]).suffix.lower() in TAGGED:
        raise UsageError(
            f"{inputs[0]} holds a word a line; heed predict reads a text a line. "
            f"Let all of it be tagged with: heed evaluate RUN {inputs[0]} --save tags.txt"
        )


def _print(found: Tagging, plain: bool) -> None:
    if plain:
        for word in found.words:
            typer.echo(f"{word.text}\t{word.tag}")
    elif not found.entities:
        typer.echo(f"heed: no entity in {brief(found.text)}", err=True)
    for entity in found.entities:
        share = "" if entity.probability is None else f"\t{entity.probability:.4f}"
        typer.echo(f"{entity.kind}\t{entity.text}\t{entity.start}\t{entity.end}{share}")
    say_unseen(found.cut, found.unknown, found.text)
