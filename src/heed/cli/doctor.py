"""`heed doctor`."""

from typing import Annotated

import typer

from heed.cli.output import print_json


def doctor(json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False) -> None:
    """Look at this computer: threads, memory, a short speed probe, safe precision."""
    from heed import api

    report = api.doctor()
    if json:
        print_json(report)
        return
    for line in report.lines():
        typer.echo(line)
