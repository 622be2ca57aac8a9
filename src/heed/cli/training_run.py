"""A new run trained while a person watches, or its settings shown: what `train` and `pretrain` end with."""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from heed.cli.duration import spoken
from heed.cli.output import json_text, print_json

if TYPE_CHECKING:
    from heed.api import TrainedRun
    from heed.runs.run import Run
    from heed.runs.settings import RunSettings


@dataclass(frozen=True)
class Output:
    """Where a run is written, and what is shown of it."""

    folder: Path | None  # none: a new one below runs/
    force: bool
    quiet: bool
    json: bool
    show_settings: bool  # and train nothing


def train_with(settings: "RunSettings", output: Output) -> None:
    """Train a new run with settings that are resolved, and say how it went; or print them."""
    from heed.cli.preparing_view import telling
    from heed.cli.watching import error_console
    from heed.runs.defaults import free_folder
    from heed.runs.session import begun_run
    from heed.runs.unused import used_values

    if output.show_settings:
        _print_settings(used_values(settings), output.json)
        return
    path = output.folder if output.folder is not None else free_folder(settings.task, settings)
    with ExitStack() as held:
        # One bar at a time: that of preparing is gone before that of training comes.
        with telling(error_console(), output.quiet) as tell:
            run = held.enter_context(begun_run(settings, path, output.force, tell))
        watch(run, output.quiet, output.json)


def _print_settings(settings: dict[str, object], as_json: bool) -> None:
    """Print settings as lines that --set takes, or as JSON that --settings takes."""
    if as_json:
        print_json(settings)
        return
    for part, value in settings.items():
        within = {f"{part}.{name}": each for name, each in value.items()} if isinstance(value, dict) else {part: value}
        for name, each in within.items():
            typer.echo(f"{name}={'none' if each is None else json_text(each)}")


def watch(run: "Run", quiet: bool, json: bool) -> None:
    """Train a run that is begun, and say how it went."""
    from heed.api import trained
    from heed.cli.training_view import TrainingView
    from heed.cli.watching import error_console, watching
    from heed.reporting.commands import input_of
    from heed.reporting.following import follow

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
        _say_result(result, run.reached.seconds, f"heed predict {result.path} {input_of(run.settings.task)}")
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
    typer.echo(f"How it went: heed report {result.path} --open")
