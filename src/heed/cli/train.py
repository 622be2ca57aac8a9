"""`heed train` and `heed resume`."""

from dataclasses import fields
from pathlib import Path
from typing import Annotated

import typer

from heed.cli.columns import Columns, Group, task_columns
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
    Valid,
    training_values,
)
from heed.cli.training_run import Output, train_with, watch
from heed.errors import UsageError


def train(
    task: Annotated[
        str,
        typer.Argument(
            help="What to learn: translate (any text-to-text job), classify, pair, tag, answer, write, vectors, image, "
            "caption."
        ),
    ],
    data: Annotated[
        list[str] | None,
        typer.Argument(
            help="A TSV, CSV or JSONL file, two line-aligned files, a folder of labels, CoNLL columns (tag), SQuAD's "
            "JSON (answer), plain text (write, vectors), a folder of pictures by class or a table of their paths "
            "(image, caption), or demo:NAME (default: a demo)."
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            help="translate: transformer[-tiny|-small|-base], lstm, gru, rnn; classify, pair: transformer, lstm, gru, "
            "rnn, textcnn[-wide], tfidf; tag: lstm, gru, rnn, transformer; answer: transformer; write: transformer, "
            "lstm, gru, rnn; vectors: word2vec, cbow, glove; image: vit[-hybrid|-tiny|-small|-base]; caption: "
            "transformer, lstm, gru, rnn. With --from: bert; image: vit.",
        ),
    ] = None,
    valid: Valid = None,
    test: Annotated[list[str] | None, typer.Option("--test", help="Test file, kept out of training.")] = None,
    columns: Columns = None,
    group: Group = None,
    vectors: Annotated[
        str | None,
        typer.Option("--vectors", help="Word vectors to start the embedding from: a run, or word2vec or GloVe text."),
    ] = None,
    base: Annotated[
        str | None,
        typer.Option(
            "--from",
            help="A trained model to start from, a BERT, (write) a language model or (image, caption) a ViT: a run, or "
            "a folder of Hugging Face's format.",
        ),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Of pictures: one that cannot be read is an error, not left out.")
    ] = False,
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
    """Train a model on your data; without DATA, on a built-in corpus."""
    from heed.runs.defaults import resolve

    values = given_settings(
        settings,
        assign,
        training=training_values(budget, steps, epochs, compile),
        data={"valid": valid, "test": test, "columns": task_columns(columns, task), "group": group},
        pictures={"strict": _strict(task) if strict else None},
    )
    starts = {"vectors": vectors, "base": base}
    values |= {name: _known(task, name, value) for name, value in starts.items() if value is not None}
    train_with(resolve(task, data or [], model, values), Output(out, force, quiet, json, show_settings))


def _known(task: str, name: str, value: str) -> str:
    """Return what a model is to start from; refuse it where the task has no such setting."""
    if name not in _parts(task):
        option = "--from" if name == "base" else f"--{name}"
        raise UsageError(f"{option} is {value}, but no model of task {task} starts from such a thing. Leave it out.")
    return value


def _strict(task: str) -> bool:
    """Return the setting that --strict is; refuse it where the task reads no pictures."""
    if "pictures" not in _parts(task):
        raise UsageError(f"--strict is about pictures that cannot be read, but task {task} reads none. Leave it out.")
    return True


def _parts(task: str) -> set[str]:
    """Return the names of what the settings of a task hold."""
    from heed.runs.settings import settings_class

    return {field.name for field in fields(settings_class(task))}


def resume(
    run: Annotated[Path, typer.Argument(help="The run's folder.")], quiet: Quiet = False, json: Json = False
) -> None:
    """Go on with a stopped run as if it had never stopped."""
    from heed.runs.session import stopped_run

    with stopped_run(run) as stopped:
        watch(stopped, quiet, json)
