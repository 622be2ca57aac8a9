"""`quiet_pillow`, `quiet_libtiff`: what Pillow and the libraries below it say of a damaged picture stays unsaid.

A reader turns it into one error; warnings, log lines and what C code writes to the terminal would stand beside that.
"""

import logging
import os
import threading
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager


class _Shared:
    """What belongs to the whole process, changed by the first thread that enters and put back by the last to leave."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.inside = 0
        self.changed = ExitStack()

    def enter(self) -> None:
        with self.lock:
            self.inside += 1
            if self.inside == 1:
                self.changed.enter_context(_ignored())

    def leave(self) -> None:
        with self.lock:
            self.inside -= 1
            if self.inside == 0:
                self.changed.close()


_SHARED = _Shared()
_TERMINAL = threading.Lock()  # file descriptor 2 is one for all threads, and has one place to be put back to


@contextmanager
def quiet_pillow() -> Iterator[None]:
    """Keep Pillow's warnings, and log lines that nobody asked for, from the screen; threads may be inside at once."""
    _SHARED.enter()
    try:
        yield
    finally:
        _SHARED.leave()


@contextmanager
def quiet_libtiff() -> Iterator[None]:
    """Send file descriptor 2 nowhere, to which libtiff writes of its own accord; one thread at a time."""
    with _TERMINAL:
        kept = os.dup(2)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(nowhere, 2)
            yield
        finally:
            os.dup2(kept, 2)
            os.close(nowhere)
            os.close(kept)


@contextmanager
def _ignored() -> Iterator[None]:
    # Python prints a log line to the terminal only where no handler took it; one that does nothing is enough.
    logger, handler = logging.getLogger("PIL"), logging.NullHandler()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        logger.addHandler(handler)
        try:
            yield
        finally:
            logger.removeHandler(handler)
