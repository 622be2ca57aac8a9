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
    from heed.reporting.report import report_run

    written = report_run(run, out)
    if json:
        print_json(written.facts)
    else:
        typer.echo(f"The report is {written.page}")
    whole = written.page.absolute()
    if open_ and not webbrowser.open(whole.as_uri()):
        typer.echo(f"There is no browser here. Open {whole} in one.", err=True)
