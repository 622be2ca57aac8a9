"""Long work as a person watches it, on standard error: a bar where there is a terminal, and a way to stop."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Protocol, TypeVar

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from heed.cli.stopping import Stoppable, stoppable

QUIET_SECONDS = 30.0  # without a terminal there is no bar: a line every so often, for logs


class View(Stoppable, Protocol):
    """What shows the work."""

    quiet: bool
    progress: Progress


AnyView = TypeVar("AnyView", bound=View)


def error_console() -> Console:
    """Return standard error as views write to it."""
    return Console(file=sys.stderr, highlight=False)


def progress_on(console: Console) -> Progress:
    """Return a bar with a name before it and, in the field `numbers`, what is to be said behind it."""
    return Progress(
        TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[numbers]}"), console=console
    )


@contextmanager
def watching(view: AnyView) -> Iterator[AnyView]:
    """Show work for the length of a `with`. Ctrl-C and SIGTERM end it after the step, with a checkpoint."""
    has_bar = view.console.is_terminal and not view.quiet
    with stoppable(view), view.progress if has_bar else nullcontext():
        yield view
