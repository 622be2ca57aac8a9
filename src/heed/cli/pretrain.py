"""`heed pretrain`."""

from typing import Annotated

import typer

from heed.cli.columns import Group, task_columns
from heed.cli.settings_options import Assign, SettingsFile, given_settings
from heed.cli.training_options import (
    Budget,
    Compile,
    Epochs,
    Force,
    Json,
    Out,
    Quiet,
    ShowSettings,
    Steps,
    training_values,
)
from heed.cli.training_run import Output, train_with


def pretrain(
    corpus: Annotated[
        list[str] | None,
        typer.Argument(
            help="Text files (a blank line or a heading between documents), or tables (a document a row); "
            "default: a demo."
        ),
    ] = None,
    model: Annotated[
        str | None, typer.Option("--model", help="bert-tiny, bert-mini (default), bert-small … bert-large.")
    ] = None,
    valid: Annotated[
        list[str] | None, typer.Option("--valid", help="Documents to choose by; default: 2 % of the corpus.")
    ] = None,
    columns: Annotated[str | None, typer.Option("--columns", help="The column of a table with the text.")] = None,
    group: Group = None,
    objective: Annotated[
        str | None,
        typer.Option("--objective", help="mlm,nsp: hidden words and next sentence (default); mlm: hidden words alone."),
    ] = None,
    whole_words: Annotated[bool, typer.Option("--whole-words", help="Hide all pieces of a word together.")] = False,
    length: Annotated[int | None, typer.Option("--length", help="Tokens of a sequence (default 128).")] = None,
    base: Annotated[
        str | None, typer.Option("--from", help="Go on with a BERT: a run, or a folder of Hugging Face's format.")
    ] = None,
    budget: Budget = None,
    steps: Steps = None,
    epochs: Epochs = None,
    settings: SettingsFile = None,
    assign: Assign = None,
    compile: Compile = False,
    out: Out = None,
    force: Force = False,
    show_settings: ShowSettings = False,
    quiet: Quiet = False,
    json: Json = False,
) -> None:
    """Teach a BERT a language from plain text: hidden words, and which sentence comes next."""
    from heed.runs.defaults import resolve

    values = given_settings(
        settings,
        assign,
        training=training_values(budget, steps, epochs, compile),
        data={"valid": valid, "columns": task_columns(columns, "pretrain"), "group": group},
    )
    own = {"objective": objective, "whole_words": whole_words or None, "length": length, "base": base}
    values |= {name: value for name, value in own.items() if value is not None}
    resolved = resolve("pretrain", corpus or [], model, values)
    train_with(resolved, Output(out, force, quiet, json, show_settings))
