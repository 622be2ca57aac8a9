"""The handful of file operations that everything in `runs/` is written with.

Each calls the `os` module by that name and nothing else touches the disk, so a test can replace `os` here and
count, fail or kill at the N-th operation. All raise OSError with the path filled in; `reported` turns it into a
MachineError where a person is waiting for the answer.
"""

import errno
import math
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from heed.errors import MachineError

CHUNK = 1 << 20  # bytes; what a streamed read holds in memory at a time
WHOLE = 1 << 30  # bytes; Linux reads at most two gigabytes in one call

_CURES = {
    errno.EROFS: "The disk is mounted read-only: choose a place that can be written, or mount it again for writing.",
    errno.EACCES: "Change the permissions of that path, or choose another place.",
    errno.EPERM: "Change the permissions of that path, or choose another place.",
    errno.EIO: "The disk failed to answer: copy the folder to another disk before going on.",
}


def write_file(path: Path, data: bytes) -> None:
    """Write the file and wait until the disk has it; not atomic, see `replace_file`."""
    with _opened(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC) as descriptor:
        _write_all(descriptor, data)
        os.fsync(descriptor)


def replace_file(path: Path, data: bytes) -> None:
    """Put `data` in the place of the file in one step: after a kill it is wholly old or wholly new."""
    temporary = path.with_name(f".{path.name}.new")
    write_file(temporary, data)
    if read_file(temporary) != data:
        raise OSError(errno.EIO, "what was written reads back differently", str(temporary))
    rename(temporary, path)
    sync_folder(path.parent)


def append_line(path: Path, line: bytes) -> None:
    """Add a line at the end; a piece of a line that a kill left there is cut off first."""
    with _opened(path, os.O_RDWR | os.O_CREAT | os.O_APPEND) as descriptor:
        _cut_torn_tail(descriptor)
        _write_all(descriptor, line)


def sync_file(path: Path) -> None:
    """Wait until the disk has the file as it is now."""
    with _opened(path, os.O_RDONLY) as descriptor:
        os.fsync(descriptor)


def read_chunks(path: Path, chunk: int = CHUNK) -> Iterator[bytes]:
    """Yield the bytes of a regular file; a pipe or device is refused, since it could block or never end."""
    # O_NONBLOCK: opening a pipe that nobody writes to would wait for ever.
    with _opened(path, os.O_RDONLY | os.O_NONBLOCK) as descriptor:
        left = _regular_size(os.fstat(descriptor))
        while left > 0 and (data := os.read(descriptor, min(chunk, left))):
            left -= len(data)
            yield data


def read_file(path: Path) -> bytes:
    """Return the whole file."""
    return b"".join(read_chunks(path, WHOLE))


def file_size(path: Path) -> int:
    """Return the size in bytes of a regular file, without opening it."""
    return _regular_size(os.stat(path))


def make_folder(path: Path) -> None:
    """Make the folder, and those above it, unless it is there; wait until the disk has the entry."""
    if os.path.isdir(path):
        return
    if path.parent != path:
        make_folder(path.parent)
    try:
        os.mkdir(path)
    except FileExistsError:
        if not os.path.isdir(path):
            raise
    sync_folder(path.parent)


def list_names(folder: Path) -> list[str]:
    """Return the names in the folder in sorted order."""
    return sorted(os.listdir(folder))


def rename(old: Path, new: Path) -> None:
    """Give the file or folder its new name in one step."""
    os.rename(old, new)


def sync_folder(path: Path) -> None:
    """Wait until the disk has the folder's names; without this a rename may vanish with the power."""
    with _opened(path, os.O_RDONLY | os.O_DIRECTORY) as descriptor:
        try:
            os.fsync(descriptor)
        except OSError as error:
            if error.errno != errno.EINVAL:  # some network disks cannot sync a folder and say so with EINVAL
                raise


def remove_tree(path: Path) -> None:
    """Remove a file, or a folder and all that is in it; links are removed, not followed."""
    if not stat.S_ISDIR(os.lstat(path).st_mode):
        os.unlink(path)
        return
    for name in list_names(path):
        remove_tree(path / name)
    os.rmdir(path)


@contextmanager
def reported(path: Path, needed: int = 0) -> Iterator[None]:
    """Turn an OSError inside into a MachineError that names the path and the cure; `needed` is in bytes."""
    try:
        yield
    except OSError as error:
        where = error.filename or path
        cause = error.strerror or str(error)
        raise MachineError(f"{where}: {cause}. {_cure(error, needed)} What was saved before is untouched.") from error


def _cure(error: OSError, needed: int) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"Free {max(1, math.ceil(needed / 1e6))} MB on that disk and go on, or choose another place."
    return _CURES.get(error.errno or 0, "Check that path and go on.")


@contextmanager
def _opened(path: Path, flags: int) -> Iterator[int]:
    descriptor = os.open(path, flags | os.O_CLOEXEC, 0o666)
    try:
        yield descriptor
    except OSError as error:
        # Calls on a descriptor do not know the name; a message without it helps nobody.
        error.filename = error.filename or str(path)
        raise
    finally:
        os.close(descriptor)


def _regular_size(state: os.stat_result) -> int:
    if not stat.S_ISREG(state.st_mode):
        raise FileNotFoundError(errno.ENOENT, "there is something, but not a regular file")
    return state.st_size


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while len(rest):
        rest = rest[os.write(descriptor, rest) :]


def _cut_torn_tail(descriptor: int) -> None:
    end = size = os.fstat(descriptor).st_size
    tail = b""
    while end > 0 and b"\n" not in tail:
        start = max(0, end - CHUNK)
        tail, end = os.pread(descriptor, end - start, start), start
    whole = end + tail.rfind(b"\n") + 1
    if whole < size:
        os.ftruncate(descriptor, whole)
