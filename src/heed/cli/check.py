"""`heed check`."""

from typing import Annotated

import typer

from heed.cli.columns import Columns, Group, task_columns
from heed.cli.output import print_json


def check(
    task: Annotated[
        str, typer.Argument(help="What the data is for: translate, classify, pair, tag, answer, image, caption.")
    ],
    data: Annotated[
        list[str] | None,
        typer.Argument(
            help="A table, two line-aligned files, a folder of labels, CoNLL columns, SQuAD's JSON, a folder of "
            "pictures, or demo:NAME."
        ),
    ] = None,
    valid: Annotated[
        list[str] | None, typer.Option("--valid", help="Validation file; give it twice for two files.")
    ] = None,
    test: Annotated[list[str] | None, typer.Option("--test", help="Test file; give it twice for two files.")] = None,
    columns: Columns = None,
    group: Group = None,
    longest: Annotated[int, typer.Option("--longest", help="Report what would be cut beyond so many words.")] = 128,
    json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Look at data before training: balance, lengths, empty, doubled and leaked texts, what would be cut."""
    from heed import api
    from heed.cli.preparing_view import telling
    from heed.cli.watching import error_console

    with telling(error_console(), json) as tell:
        report = api.check(
            task,
            data or [],
            valid=valid or [],
            test=test or [],
            columns=task_columns(columns, task),
            group=group,
            longest=longest,
            tell=lambda done, of: tell("looking at the pictures", done / of),
        )
    if json:
        print_json(report)
        return
    for line in report.lines():
        typer.echo(line)
