"""`heed pretrain`."""

from pathlib import Path
from typing import Annotated

import typer

from heed.cli.columns import task_columns
from heed.cli.duration import minutes
from heed.cli.settings_options import Assign, SettingsFile, given_settings
from heed.cli.train import Json, Output, Quiet, print_settings, train_with
from heed.settings import to_dict


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
    objective: Annotated[
        str | None,
        typer.Option("--objective", help="mlm,nsp: hidden words and next sentence (default); mlm: hidden words alone."),
    ] = None,
    whole_words: Annotated[bool, typer.Option("--whole-words", help="Hide all pieces of a word together.")] = False,
    length: Annotated[int | None, typer.Option("--length", help="Tokens of a sequence (default 128).")] = None,
    base: Annotated[
        str | None, typer.Option("--from", help="Go on with a BERT: a run, or a folder of Hugging Face's format.")
    ] = None,
    budget: Annotated[str | None, typer.Option("--budget", help="Train this long: 90s, 10m, 1h30m.")] = None,
    steps: Annotated[int | None, typer.Option("--steps", help="Train so many optimizer steps.")] = None,
    epochs: Annotated[int | None, typer.Option("--epochs", help="Train so many passes over the corpus.")] = None,
    settings: SettingsFile = None,
    assign: Assign = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="The run's folder (default: a new one below runs/).")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a run that is in that folder.")] = False,
    show_settings: Annotated[
        bool, typer.Option("--show-settings", help="Print all settings as they would be, and train nothing.")
    ] = False,
    quiet: Quiet = False,
    json: Json = False,
) -> None:
    """Teach a BERT a language from plain text: hidden words, and which sentence comes next."""
    from heed.runs.defaults import resolve

    limits = {"steps": steps, "epochs": epochs, "minutes": minutes(budget) if budget is not None else None}
    values = given_settings(
        settings, assign, training=limits, data={"valid": valid, "columns": task_columns(columns, "pretrain")}
    )
    own = {"objective": objective, "whole_words": whole_words or None, "length": length, "base": base}
    values |= {name: value for name, value in own.items() if value is not None}
    resolved = resolve("pretrain", corpus or [], model, values)
    if show_settings:
        print_settings(to_dict(resolved), json)
    else:
        train_with(resolved, Output(out, force, quiet, json))
