"""`heed show`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from heed.cli.output import print_json
from heed.inspection.topic_list import TOPICS


def show(
    topic: Annotated[str | None, typer.Argument(help="What to show; without it the topics are listed.")] = None,
    text: Annotated[
        list[str] | None, typer.Option("--text", help="Your own text or words; for some topics several times.")
    ] = None,
    image: Annotated[Path | None, typer.Option("--image", help="Your own picture.")] = None,
    matrix: Annotated[
        str | None, typer.Option("--matrix", help='Your own numbers: a .csv file, or rows such as "1 2; 3 4".')
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Draw it too: a .png, .svg or .pdf file.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print all numbers as JSON.")] = False,
) -> None:
    """Show a slide's worked example in numbers and as a picture, with the slide's input or your own."""
    if topic is None:
        for line in _topics():
            typer.echo(line)
        return
    from heed.cli.preparing_view import telling
    from heed.cli.shown_text import lines_of
    from heed.cli.watching import error_console
    from heed.inspection.drawing import draw_shown
    from heed.inspection.figures import check_ending
    from heed.inspection.show import show as work_out

    if out is not None:
        check_ending(out)
    with telling(error_console(), json) as tell:
        shown = work_out(topic, texts=text or [], image=image, matrix=matrix, tell=tell)
    if out is not None:
        draw_shown(shown, out)
    if json:
        print_json(shown)
        return
    for line in lines_of(shown):
        typer.echo(line)
    typer.echo(f"\nThe picture is in {out}" if out is not None else f"\nDraw it: heed show {topic} --out {topic}.png")


def _topics() -> Iterator[str]:
    yield "heed show TOPIC, of which there are:"
    for name, topic in TOPICS.items():
        takes = " or ".join(f"--{option}" for option in topic.takes)
        yield f"  {name:<15} {topic.line} ({takes})"
    yield "Each takes your own input in place of the slide's, --out for a picture and --json for all numbers."
