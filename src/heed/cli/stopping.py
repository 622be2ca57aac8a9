"""Ctrl-C and SIGTERM while something long runs: the first ends it after the step, the second at once."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Protocol

from rich.console import Console


class Stoppable(Protocol):
    """What is asked to stop."""

    console: Console
    stopping: bool


@contextmanager
def stoppable(view: Stoppable) -> Iterator[None]:
    """Set `view.stopping` when the person asks to stop, for the length of a `with`."""

    def stop(number: int, frame: FrameType | None) -> None:
        if view.stopping:
            raise KeyboardInterrupt  # asked twice: leave at once; the last checkpoint stands
        view.stopping = True
        view.console.print("stopping after this step, with a checkpoint … (once more: at once, without one)")

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
