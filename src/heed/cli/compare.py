"""`heed compare` and `heed ablate`."""

import shlex
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from heed.cli.columns import Columns, Group, task_columns
from heed.cli.duration import minutes
from heed.cli.output import print_json
from heed.cli.settings_options import Assign, SettingsFile, given_settings

if TYPE_CHECKING:
    from heed.comparing.results import Comparison
    from heed.comparing.trials import Plan

Seeds = Annotated[int, typer.Option("--seeds", help="Train each model so many times, with other random numbers.")]
Out = Annotated[Path | None, typer.Option("--out", help="The comparison's folder; the same command goes on in it.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Show no progress.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
MODELS = "tfidf,textcnn,gru,transformer"


def compare(
    task: Annotated[str, typer.Argument(help="classify, pair or translate.")],
    data: Annotated[
        list[str] | None, typer.Argument(help="A table, a folder of labels, two files, or demo:NAME (default: a demo).")
    ] = None,
    models: Annotated[
        str | None,
        typer.Option(
            "--models", help=f"Names with commas between them, bert:DIR among them (default for texts: {MODELS})."
        ),
    ] = None,
    seeds: Seeds = 3,
    valid: Annotated[list[str] | None, typer.Option("--valid", help="Validation file.")] = None,
    test: Annotated[list[str] | None, typer.Option("--test", help="Test file, which decides.")] = None,
    columns: Columns = None,
    group: Group = None,
    budget: Annotated[str | None, typer.Option("--budget", help="Train each model this long: 90s, 10m.")] = None,
    settings: SettingsFile = None,
    assign: Assign = None,
    out: Out = None,
    quiet: Quiet = False,
    json: Json = False,
) -> None:
    """Train several models on one split, with several seeds, and say which is better and whether that is chance."""
    from heed.comparing.compare import check_one_process
    from heed.comparing.trials import plan_models

    check_one_process()
    limits = {"minutes": minutes(budget)} if budget is not None else {}
    values = given_settings(
        settings,
        assign,
        training=limits,
        data={"valid": valid, "test": test, "columns": task_columns(columns, task), "group": group},
    )
    names = [name.strip() for name in (models or _usual_models(task)).split(",") if name.strip()]
    plan = plan_models(task, data or [], names, seeds, values)
    _run(plan, out or Path("runs") / f"compare-{task}", quiet, json)


def ablate(
    run: Annotated[Path, typer.Argument(help="The run whose settings are changed, one at a time.")],
    over: Annotated[
        list[str], typer.Option("--over", help="What to change: positions=sinusoid,learned,none; may be given often.")
    ],
    seeds: Seeds = 1,
    out: Out = None,
    quiet: Quiet = False,
    json: Json = False,
) -> None:
    """Train a run's model again with one setting changed at a time, and say what each change does."""
    from heed.comparing.compare import check_one_process
    from heed.comparing.trials import plan_changes
    from heed.runs.folder import open_run
    from heed.runs.settings import read_settings

    check_one_process()
    known = read_settings(open_run(run).read_settings(), f"{run}: settings")
    _run(plan_changes(known, over, seeds), out or Path("runs") / f"ablate-{run.name}", quiet, json)


def _usual_models(task: str) -> str:
    return MODELS if task != "translate" else "transformer-tiny,lstm"


def _run(plan: "Plan", out: Path, quiet: bool, json: bool) -> None:
    from heed.cli.comparison_view import ComparisonView
    from heed.cli.watching import error_console, watching
    from heed.comparing.compare import compare as run_trials
    from heed.comparing.conclusion import finish
    from heed.comparing.inputs import load_test
    from heed.comparing.store import open_comparison

    # First the data: a mistake there must not leave a folder that refuses the corrected command.
    test = load_test(plan)
    folder = open_comparison(out, plan, test.inputs)
    with (
        watching(ComparisonView(error_console(), plan, quiet)) as view,
        closing(run_trials(plan, folder, test)) as events,
    ):
        for event in events:
            if not view.show(event):
                break
    if view.stopping and not view.is_complete:
        typer.echo(f"Stopped; nothing is lost. The same command goes on (folder {out}).", err=True)
        raise typer.Exit(130)
    comparison = finish(plan, view.results, test, folder, command=shlex.join(["heed", *sys.argv[1:]]))
    if json:
        print_json({"path": out, "standings": comparison.standings, "facts": comparison.facts})
        return
    _print(comparison, out)


def _print(comparison: "Comparison", out: Path) -> None:
    from heed.comparing.table import table_lines

    for line in table_lines(comparison):
        typer.echo(line)
    typer.echo(f"The report is {out / 'report.html'}, the picture {out / 'comparison.png'}.")
