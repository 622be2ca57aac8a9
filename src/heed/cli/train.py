"""`heed train` and `heed resume`."""

from contextlib import ExitStack
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from heed.cli.columns import Columns, task_columns
from heed.cli.duration import minutes, spoken
from heed.cli.output import json_text, print_json
from heed.cli.settings_options import Assign, SettingsFile, given_settings
from heed.errors import UsageError
from heed.settings import to_dict

if TYPE_CHECKING:
    from heed.api import TrainedRun
    from heed.runs.run import Run
    from heed.runs.settings import RunSettings

Quiet = Annotated[bool, typer.Option("--quiet", help="Show no progress.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
# What `heed predict` is given, where that is not one text.
INPUTS = {"pair": '"…" "…"', "answer": '"question" "paragraph"', "vectors": "word", "pretrain": '"… [MASK] …"'}


def train(
    task: Annotated[
        str,
        typer.Argument(
            help="What to learn: translate (any text-to-text job), classify, pair, tag, answer, write, vectors."
        ),
    ],
    data: Annotated[
        list[str] | None,
        typer.Argument(
            help="A TSV, CSV or JSONL file, two line-aligned files, a folder of labels, CoNLL columns (tag), SQuAD's "
            "JSON (answer), plain text (write, vectors), or demo:NAME (default: a demo)."
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            help="translate: transformer[-tiny|-small|-base], lstm, gru, rnn; classify, pair: transformer, lstm, gru, "
            "rnn, textcnn, tfidf; tag: lstm, gru, rnn, transformer; answer: transformer; write: transformer, lstm, "
            "gru, rnn; vectors: word2vec, cbow, glove. With --from: bert.",
        ),
    ] = None,
    valid: Annotated[
        list[str] | None, typer.Option("--valid", help="Validation file; give it twice for two files.")
    ] = None,
    test: Annotated[list[str] | None, typer.Option("--test", help="Test file, kept out of training.")] = None,
    columns: Columns = None,
    vectors: Annotated[
        str | None,
        typer.Option("--vectors", help="Word vectors to start the embedding from: a run, or word2vec or GloVe text."),
    ] = None,
    base: Annotated[
        str | None,
        typer.Option(
            "--from",
            help="A trained model to start from, a BERT or (write) a language model: a run, or a folder of Hugging "
            "Face's format.",
        ),
    ] = None,
    budget: Annotated[str | None, typer.Option("--budget", help="Train this long: 90s, 10m, 1h30m.")] = None,
    steps: Annotated[int | None, typer.Option("--steps", help="Train so many optimizer steps.")] = None,
    epochs: Annotated[int | None, typer.Option("--epochs", help="Train so many passes over the data.")] = None,
    settings: SettingsFile = None,
    assign: Assign = None,
    compile: Annotated[
        bool, typer.Option("--compile", help="Compile the model first; pays for long runs only.")
    ] = False,
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
    """Train a model on your data; without DATA, on a built-in corpus."""
    from heed.runs.defaults import resolve

    limits = {"steps": steps, "epochs": epochs, "minutes": minutes(budget) if budget is not None else None}
    values = given_settings(
        settings,
        assign,
        training={**limits, "compile": True if compile else None},
        data={"valid": valid, "test": test, "columns": task_columns(columns, task)},
    )
    starts = {"vectors": vectors, "base": base}
    values |= {name: _known(task, name, value) for name, value in starts.items() if value is not None}
    resolved = resolve(task, data or [], model, values)
    if vectors is not None and resolved.model.kind == "tfidf":
        raise UsageError(
            "--vectors is for models with an embedding; tfidf has none. Leave it out, or use another --model."
        )
    if show_settings:
        print_settings(to_dict(resolved), json)
    else:
        train_with(resolved, Output(out, force, quiet, json))


def _known(task: str, name: str, value: str) -> str:
    """Return what a model is to start from; refuse it where the task has no such setting."""
    from heed.runs.settings import settings_class

    if name not in {field.name for field in fields(settings_class(task))}:
        option = "--from" if name == "base" else f"--{name}"
        raise UsageError(f"{option} is {value}, but no model of task {task} starts from such a thing. Leave it out.")
    return value


@dataclass(frozen=True)
class Output:
    """Where a run is written, and what is shown of it."""

    folder: Path | None  # none: a new one below runs/
    force: bool
    quiet: bool
    json: bool


def train_with(settings: "RunSettings", output: Output) -> None:
    """Train a new run with settings that are resolved, and say how it went."""
    from heed.cli.preparing_view import telling
    from heed.cli.watching import error_console
    from heed.runs.defaults import free_folder
    from heed.runs.session import begun_run

    path = output.folder if output.folder is not None else free_folder(settings.task, settings)
    with ExitStack() as held:
        # One bar at a time: that of preparing is gone before that of training comes.
        with telling(error_console(), output.quiet) as tell:
            run = held.enter_context(begun_run(settings, path, output.force, tell))
        _watch(run, output.quiet, output.json)


def resume(
    run: Annotated[Path, typer.Argument(help="The run's folder.")], quiet: Quiet = False, json: Json = False
) -> None:
    """Go on with a stopped run as if it had never stopped."""
    from heed.runs.session import stopped_run

    with stopped_run(run) as stopped:
        _watch(stopped, quiet, json)


def print_settings(settings: dict[str, object], as_json: bool) -> None:
    """Print settings as lines that --set takes, or as JSON that --settings takes."""
    if as_json:
        print_json(settings)
        return
    for part, value in settings.items():
        within = {f"{part}.{name}": each for name, each in value.items()} if isinstance(value, dict) else {part: value}
        for name, each in within.items():
            typer.echo(f"{name}={'none' if each is None else json_text(each)}")


def _watch(run: "Run", quiet: bool, json: bool) -> None:
    from heed.api import trained
    from heed.cli.training_view import TrainingView
    from heed.cli.watching import error_console, watching
    from heed.runs.session import follow

    first = run.ranks.is_first
    with watching(TrainingView(error_console(), quiet or not first)) as view:
        for note in run.notes if first and not quiet else ():
            view.console.print(note, markup=False, soft_wrap=True)
        follow(run, view.show)
        result = trained(run)
    if not first:
        return
    if json:
        print_json(result)
    elif not result.finished:
        _say_stopped(result, begins_again=run.settings.task == "vectors")
    else:
        inputs = INPUTS.get(run.settings.task, '"…"')
        _say_result(result, run.reached.seconds, f"heed predict {result.path} {inputs}")
    if view.stopping and not result.finished:
        raise typer.Exit(130)


def _say_stopped(result: "TrainedRun", begins_again: bool) -> None:
    way_on = f"heed resume {result.path}"
    if begins_again:
        typer.echo(f"Stopped at step {result.step}. Word vectors are learnt in one go: {way_on} begins again.")
    else:
        typer.echo(f"Stopped at step {result.step}; nothing is lost. Go on with: {way_on}")


def _say_result(result: "TrainedRun", seconds: float, use: str) -> None:
    best = result.best
    scores = "  ".join(
        f"{name} {value:.4g}" for name, value in best.items() if isinstance(value, float) and name != "score"
    )
    typer.echo(
        f"Trained {result.step} steps in {spoken(seconds)}. Best on validation (step {best.get('step')}): {scores}"
    )
    typer.echo(f"The run is in {result.path}. Use it with: {use}")
