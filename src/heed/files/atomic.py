"""Write a file so that a reader, a crash or a full disk only ever meets the old one or the new one, whole.

A new name in the same folder, fsync of the file, one rename, fsync of the folder. A failure is raised as MachineError,
the new name is removed, and the old file is as it was (only when the very last fsync fails does the new one stand
there). Every touch of the disk goes through the small functions at the end, so that a test can fail each of them.
"""

import errno
import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from heed.errors import MachineError


def write_text(path: Path, text: str) -> None:
    """Put the text at the path in UTF-8, whole or not at all."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, data: bytes) -> None:
    """Put the bytes at the path, whole or not at all."""
    write_chunks(path, [data], len(data))


def write_chunks(path: Path, chunks: Iterable[bytes], size: int) -> None:
    """Put the chunks at the path one after the other, all or none; `size` is about how many bytes they are."""
    with _machine_errors(path, size):
        goal = Path(os.path.realpath(path))  # a link stays a link: what it points to is replaced
        new = goal.with_name(f".heed-{secrets.token_hex(8)}.tmp")
        try:
            _write_new(new, chunks)
            _replace(new, goal)
        finally:
            _remove_if_there(new)
        _sync_folder(goal.parent)


def _write_new(path: Path, chunks: Iterable[bytes]) -> None:
    descriptor = _open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        for chunk in chunks:
            _write(descriptor, chunk)
        _fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # folders cannot be opened there, and a rename needs no second step
        return
    descriptor = _open(folder, os.O_RDONLY)
    try:
        _fsync(descriptor)
    except OSError as error:
        if error.errno != errno.EINVAL:  # some network file systems do not know fsync of a folder
            raise
    finally:
        os.close(descriptor)


@contextmanager
def _machine_errors(path: Path, size: int) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise MachineError(
            f"{path} cannot be written: {error.strerror or error}. {_cure(path, size, error)}"
        ) from error


def _cure(path: Path, size: int, error: OSError) -> str:
    folder = path.parent
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return f"Free at least {max(1, size // 1_000_000):,} MB on the disk of {folder}, or choose another folder."
        case errno.EROFS:
            return f"The disk of {folder} is read-only: choose another folder."
        case errno.EACCES | errno.EPERM:
            return f"This user may not write in {folder}: check ls -ld {folder}, or choose another folder."
        case errno.ENOENT | errno.ENOTDIR:
            return f"There is no folder {folder}: create it with mkdir -p {folder}."
        case errno.EISDIR | errno.ENOTEMPTY | errno.EEXIST:
            return "A folder has that name: choose another."
        case _:
            return f"Check the disk of {folder}, or choose another folder."


def _open(path: Path, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_BINARY", 0), 0o666)


def _write(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:  # one call writes at most 2 GB, and less when a signal comes
        rest = rest[os.write(descriptor, rest) :]


def _fsync(descriptor: int) -> None:
    os.fsync(descriptor)


def _replace(new: Path, goal: Path) -> None:
    os.replace(new, goal)


def _remove_if_there(path: Path) -> None:
    with suppress(OSError):  # the first error is the one to report; after the rename there is nothing to remove
        path.unlink(missing_ok=True)
