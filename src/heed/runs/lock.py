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
    with claimed(path) as ours:
        if not ours:
            raise RunError(
                f"{path.parent} is in use by process {_holder(path)}. "
                f"Wait until it ends, stop it, or choose another folder."
            )
        yield


@contextmanager
def claimed(path: Path) -> Iterator[bool]:
    """Hold the lock file for as long as the block runs; what comes is whether we do, or another process does."""
    with durable.reported(path):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        with durable.reported(path):
            ours = _take(descriptor)
        yield ours
    finally:
        os.close(descriptor)


def is_held(path: Path) -> bool:
    """Tell whether a process holds the lock file; one that cannot be opened is held by none."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        # Shared, and let go within microseconds: those who only look never keep each other out.
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:  # some network disks know no locks
        return isinstance(error, BlockingIOError)
    finally:
        os.close(descriptor)
    return False


def _take(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
    return True


def _holder(path: Path) -> str:
    with durable.reported(path), path.open("rb") as file:
        return file.read(32).decode(errors="replace").strip() or "unknown"
