"""`heed verify`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from heed.cli.output import print_json

if TYPE_CHECKING:
    from heed.verifying.findings import VerificationReport


def verify(
    run: Annotated[Path, typer.Argument(help="The run's folder.")],
    data: Annotated[
        list[str] | None, typer.Option("--data", help="Try the model on this data, not on that of its training.")
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="NAME", help="Run this check alone; may be given again.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
) -> None:
    """Prove on a run's own model and data: padded = alone, cached = uncached, resumed = uninterrupted, and more."""
    from rich.console import Console

    from heed import api
    from heed.cli.preparing_view import telling

    with telling(Console(stderr=True), quiet=json) as tell:
        report = api.verify(run, data or (), only=only or (), tell=tell)
    if json:
        print_json({"passed": report.passed, "conclusion": report.conclusion, **vars(report)})
    else:
        _show(report)
    if not report.passed:
        raise typer.Exit(1)


def _show(report: "VerificationReport") -> None:
    from heed.cli.verification_table import table_lines

    for line in table_lines(report):
        typer.echo(line)
