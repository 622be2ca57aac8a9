"""What a person asked of `heed evaluate`, and what all kinds of models do with it."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import typer

from heed.data.image_store import Broken
from heed.files.atomic import write_text

Result = TypeVar("Result")


@dataclass(frozen=True)
class Asked:
    """The words and options after `heed evaluate RUN`."""

    data: Sequence[str]
    columns: str | None
    save: Path | None
    json: bool

    def write(self, lines: Iterable[str]) -> None:
        """Write what the model said, a line each, where that was asked for."""
        if self.save is not None:
            write_text(self.save, "".join(f"{line}\n" for line in lines))


def timed(work: Callable[[], Result]) -> tuple[Result, float]:
    """Return what the work gives, and the seconds that it took."""
    began = time.monotonic()
    result = work()
    return result, time.monotonic() - began


def say_broken(broken: Sequence[Broken]) -> str:
    """Name the pictures that could not be read, on standard error; return what the last line says of them."""
    for each in broken:
        typer.echo(f"heed: {each.name}: {each.reason}", err=True)
    return f"{len(broken):,} picture(s) could not be read; " if broken else ""


def say_empty(count: int, places: Sequence[str], what: str) -> None:
    """Say what was left out, on standard error, so that it is said beside --json too."""
    if count:
        typer.echo(f"heed: {count} {what} were left out: {', '.join(places)}", err=True)
