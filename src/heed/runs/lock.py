"""One process at a time in a run folder.

The lock belongs to an open file, so the kernel frees it when its holder ends, by kill -9 too; the lock file itself
stays, since removing it would let two processes hold locks on two files of one name.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from heed.errors import RunError
from heed.runs import durable


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock file for as long as the block runs, or raise RunError that names the process which has it."""
    with durable.reported(path):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        with durable.reported(path):
            _take(descriptor, path)
        yield
    finally:
        os.close(descriptor)


def _take(descriptor: int, path: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(descriptor, 32, 0).decode(errors="replace").strip() or "unknown"
        raise RunError(
            f"{path.parent} is in use by process {holder}. Wait until it ends, stop it, or choose another folder."
        ) from None
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
