"""Pictures that a table names by path: how such columns are called, and where the file is."""

import os
import stat
from pathlib import Path

from heed.errors import DataError
from heed.files.quoting import quote

PATH_NAMES = (
    *("path", "file", "filename", "file_name", "filepath", "file_path", "image", "image_path", "image_file", "img"),
    *("img_path", "picture", "photo"),
)


def picture_at(folder: Path, name: str, place: str) -> Path:
    """Return the path that a table in the folder names, or raise DataError if no file is there."""
    path = folder / name  # an absolute name stays what it is
    reason = why_no_file(path)
    if reason:
        raise DataError(
            f"{place}: the picture {quote(name, 200)} {reason}. Paths count from the folder of the table, {folder}: "
            f"correct it, or leave the row out."
        )
    return path


def why_no_file(path: Path) -> str:
    """Say why the path is not that of a file, or return nothing if it is."""
    try:
        mode = os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return "does not exist"
    except OSError as error:
        return f"cannot be read ({error.strerror or error})"
    return "" if stat.S_ISREG(mode) else "is a folder" if stat.S_ISDIR(mode) else "is no plain file"
