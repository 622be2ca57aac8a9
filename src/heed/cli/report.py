"""`heed report`."""

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from heed.cli.output import print_json


def report(
    run: Annotated[Path, typer.Argument(help="The run's folder.")],
    open_: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write the page here, and leave the run's folder as it is.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print all that is known of the run as JSON.")] = False,
) -> None:
    """Write how a run went as a page: curves, samples, data, what was cut, settings, how to use it."""
    from heed.reporting.facts import gather
    from heed.reporting.page import write_page, write_report
    from heed.runs.folder import open_run

    folder = open_run(run)
    if json and out is None and not open_:
        print_json(gather(folder))
        return
    page = write_report(folder) if out is None else write_page(gather(folder), out)
    if json:
        print_json(gather(folder))
    else:
        typer.echo(f"The report is {page}")
    if open_ and not webbrowser.open(page.absolute().as_uri()):
        typer.echo(f"There is no browser here. Open {page.absolute()} in one.", err=True)
