"""`heed import` and `heed export`."""

from pathlib import Path
from typing import Annotated

import typer

from heed.cli.output import print_json

Json = Annotated[bool, typer.Option("--json", help="Print what was made as JSON.")]


def import_(
    model: Annotated[
        str, typer.Argument(metavar="DIR", help="A folder in the format of Hugging Face, or hub:NAME to fetch one.")
    ],
    out: Annotated[Path, typer.Option("--out", help="The run's folder.")],
    task: Annotated[
        str | None, typer.Option("--task", help="pair: of a classifier that reads two texts; else left out.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a run that is in that folder.")] = False,
    json: Json = False,
) -> None:
    """Make a run of a model that was trained elsewhere: BERT, DistilBERT, RoBERTa, GPT-2, Marian, ViT or DINOv2."""
    from heed.api import import_model

    made = import_model(model, out, task=task, force=force)
    if json:
        print_json(made)
        return
    typer.echo(f"{made.path}: a run of {made.task} with {made.weights:,} weights from {made.origin}")
    for note in made.notes:
        typer.echo(note)


def export(
    run: Annotated[Path, typer.Argument(help="The run's folder.")],
    to: Annotated[
        str, typer.Option("--to", help="hf: a folder of Hugging Face's format; of vectors: word2vec, glove.")
    ],
    out: Annotated[Path, typer.Option("--out", help="The new folder, or the new file of vectors.")],
    force: Annotated[bool, typer.Option("--force", help="Replace an export that is there.")] = False,
    json: Json = False,
) -> None:
    """Write the model of a run for other libraries."""
    from heed.api import export_model

    made = export_model(run, to, out, force=force)
    if json:
        print_json(made)
        return
    typer.echo(f"{made.path}: {made.kind}")
    for note in made.notes:
        typer.echo(note)
