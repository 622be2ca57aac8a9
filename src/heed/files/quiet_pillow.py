"""`quiet_pillow`, `quiet_libtiff`: what Pillow and the libraries below it say of a damaged picture stays unsaid.

A reader turns it into one error; warnings, log lines and what C code writes to the terminal would stand beside that.
"""

import logging
import os
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

# Both the filters of warnings and file descriptor 2 belong to the whole process: one thread at a time may change them.
_LOCK = threading.Lock()


@contextmanager
def quiet_pillow() -> Iterator[None]:
    """Keep Pillow's warnings, and the log lines that nobody asked for, from the screen."""
    # Python prints a log line to the terminal only where no handler took it; one that does nothing is enough.
    logger, handler = logging.getLogger("PIL"), logging.NullHandler()
    with _LOCK, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        logger.addHandler(handler)
        try:
            yield
        finally:
            logger.removeHandler(handler)


@contextmanager
def quiet_libtiff() -> Iterator[None]:
    """Send file descriptor 2 nowhere, to which libtiff writes of its own accord; only inside `quiet_pillow`."""
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(nowhere)
        os.close(kept)
