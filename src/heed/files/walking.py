"""`walk_files`: every file below a folder, however deep, in the order of the names; links are followed.

A link that leads back to a folder above it would never end and is refused, and so are more files than anyone means.
"""

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from heed.errors import DataError
from heed.files.documents import refuse_broken_name
from heed.files.opening import why_not

MOST_FILES = 1_000_000  # files and folders below one folder; more is a disk, not a set of data
DEEPEST = 50  # folders within folders
LEFT_BEHIND = "__MACOSX"  # where macOS puts what only it can use when it packs a folder

_Folder = tuple[int, int]  # device and number, the same by whatever path a folder is reached


def walk_files(root: Path) -> Iterator[Path]:
    """Yield what is below the folder and no folder itself; hidden names, such as macOS's `._a.jpg`, are left out."""
    for seen, entry in enumerate(_walk(root, root, ()), start=1):
        if seen > MOST_FILES:
            raise DataError(_too_many(root))
        if not entry.is_dir():
            yield Path(entry.path)


def list_folders(root: Path) -> list[Path]:
    """Return the folders in a folder, sorted by name; hidden ones are left out."""
    return [Path(entry.path) for entry in _entries(root, root) if entry.is_dir()]


def _walk(root: Path, folder: Path, above: tuple[_Folder, ...]) -> Iterator["os.DirEntry[str]"]:
    here = _identity(folder)
    if here in above:
        raise DataError(
            f"{folder} leads back to a folder above it, so that its files would never end. Remove this link."
        )
    if len(above) > DEEPEST:
        raise DataError(f"{folder} lies more than {DEEPEST} folders below {root}. Give a folder nearer to the files.")
    for entry in _entries(root, folder):
        yield entry
        if entry.is_dir():
            yield from _walk(root, Path(entry.path), (*above, here))


def _entries(root: Path, folder: Path) -> list["os.DirEntry[str]"]:
    try:
        with os.scandir(folder) as found:
            shown = (entry for entry in found if not entry.name.startswith(".") and entry.name != LEFT_BEHIND)
            entries = list(islice(shown, MOST_FILES + 1))
    except OSError as error:
        raise DataError(why_not(folder, error)) from None
    if len(entries) > MOST_FILES:
        raise DataError(_too_many(root))
    for entry in entries:
        refuse_broken_name(Path(entry.path))
        _refuse_circle(entry)
    return sorted(entries, key=lambda entry: entry.name)


def _identity(folder: Path) -> _Folder:
    try:
        status = os.stat(folder)
    except OSError as error:
        raise DataError(why_not(folder, error)) from None
    return status.st_dev, status.st_ino


def _refuse_circle(entry: "os.DirEntry[str]") -> None:
    try:
        entry.is_dir()  # what it finds is kept, so that no later question of this kind can fail
    except OSError as error:
        raise DataError(why_not(Path(entry.path), error)) from None


def _too_many(root: Path) -> str:
    return f"{root} holds more than {MOST_FILES:,} files and folders. Give a folder of its own for the data."
