"""`file_digest`: the bytes of a file as a short text, equal for equal files alone."""

import hashlib
from pathlib import Path

from heed.errors import DataError
from heed.files.opening import why_not


def file_digest(path: Path) -> str:
    """Return the SHA-256 of the file's bytes, read in pieces; a file that cannot be read is raised as DataError."""
    try:
        with open(path, "rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise DataError(why_not(path, error)) from None
