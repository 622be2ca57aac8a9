"""Open a data file for reading, plain or gzip; a file that cannot be opened or read becomes one clear DataError."""

import difflib
import errno
import gzip
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from heed.errors import DataError


@contextmanager
def open_input(path: Path) -> Iterator[BinaryIO]:
    """Open the file as bytes, unpacking `.gz`; every failure to open, read or unpack is raised as DataError."""
    try:
        with _open(path) as stream:
            yield stream
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataError(f"{path} is not a whole gzip file: {error}. Copy or pack it again.") from None
    except OSError as error:
        raise DataError(why_not(path, error)) from None
    except ValueError as error:
        # Only open() itself says this, of a name with a NUL character; what the reader raises is DataError.
        raise DataError(f"{str(path)!r} cannot be a file name: {error}. Give another.") from None


def is_gzip(path: Path) -> bool:
    """Tell whether the name says that the file is packed by gzip."""
    return path.suffix.lower() == ".gz"


def inner_suffix(path: Path) -> str:
    """Return the suffix in lower case, looking below `.gz`: ".tsv" for "pairs.TSV.gz"."""
    return Path(path.stem).suffix.lower() if is_gzip(path) else path.suffix.lower()


def _open(path: Path) -> BinaryIO:
    return cast(BinaryIO, gzip.open(path, "rb")) if is_gzip(path) else open(path, "rb")


def why_not(path: Path, error: OSError) -> str:
    """Say why a file or folder could not be opened or read, and what to do."""
    match error.errno:
        case errno.ENOENT | errno.ENOTDIR:
            return f"{path} does not exist. {_nearest(path)}"
        case errno.EISDIR:
            return f"{path} is a folder, not a file. {_example_in(path)}"
        case errno.EACCES | errno.EPERM:
            return f"{path} may not be read by this user. Allow it, for example with chmod u+r, or copy the file."
        case _:
            return f"{path} cannot be read: {error.strerror or error}. Check the name and the disk, or copy the file."


def _nearest(path: Path) -> str:
    names = _names_in(path.parent)
    if names is None:
        return f"There is no folder {path.parent} either: check the path (the current folder is {os.getcwd()})."
    close = difflib.get_close_matches(path.name, names, n=3, cutoff=0.5)
    if close:
        return "Did you mean " + " or ".join(str(path.parent / name) for name in close) + "?"
    return f"No name in {path.parent.resolve()} is like it: check the path."


def _example_in(folder: Path) -> str:
    names = [name for name in _names_in(folder) or [] if (folder / name).is_file()]
    return f"Give a file in it, for example {folder / names[0]}." if names else "It holds no file; give another path."


def _names_in(folder: Path) -> list[str] | None:
    try:
        return sorted(os.listdir(folder))
    except (OSError, ValueError):
        return None
