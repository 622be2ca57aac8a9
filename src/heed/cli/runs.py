"""`heed runs`."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from heed.cli.output import print_json


def runs(
    folder: Annotated[Path, typer.Argument(help="Where the runs are.")] = Path("runs"),
    task: Annotated[str | None, typer.Option("--task", help="Only runs of this task: classify, translate …")] = None,
    sort: Annotated[
        Literal["time", "score", "name"],
        typer.Option("--sort", help="Newest first, best first (task by task), or by name."),
    ] = "time",
    json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False,
) -> None:
    """List runs with their scores."""
    from heed.cli.runs_table import table_lines
    from heed.listing.runs import find_runs
    from heed.runs.settings import settings_class

    if task is not None:
        settings_class(task)  # refuses one that does not exist
    found = find_runs(folder, task, sort)
    if json:
        print_json(found)
        return
    for line in table_lines(found):
        typer.echo(line)
    if not found:
        of_task = "" if task is None else f" of task {task}"
        typer.echo(f"{folder} holds no runs{of_task}. Make one: heed train {task or 'translate'}")
