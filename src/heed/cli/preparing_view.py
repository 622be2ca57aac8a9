"""What comes before training, watched on standard error: a bar with the time left, or lines for logs."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from heed.runs.telling import Tell, silent

PATIENCE = 2.0  # seconds of work that need no word


@contextmanager
def telling(console: Console, quiet: bool) -> Iterator[Tell]:
    """Give a function that shows what it is told, for the length of a `with`."""
    if quiet:
        yield silent
    elif console.is_terminal:
        with _bar(console) as tell:
            yield tell
    else:
        yield _lines(console)


@contextmanager
def _bar(console: Console) -> Iterator[Tell]:
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("preparing", total=None)

        def tell(what: str, share: float | None) -> None:
            progress.update(task, description=what, total=None if share is None else 1.0, completed=share or 0.0)

        yield tell


def _lines(console: Console) -> Tell:
    said: set[str] = set()
    began = time.monotonic()

    def tell(what: str, share: float | None) -> None:
        # Each kind of work is told once, and only where it takes long enough to wonder about.
        if what not in said and time.monotonic() - began > PATIENCE:
            said.add(what)
            console.print(f"{what} …", markup=False)

    return tell
