"""`image_keys`: what makes a picture the same wherever it stands: the bytes of its file, or the name of a drawing."""

from collections.abc import Iterable
from pathlib import Path

from heed.data.records import ImageSource
from heed.files.digests import file_digest


def image_keys(sources: Iterable[ImageSource]) -> dict[ImageSource, str]:
    """Return the key of each picture; every file is read once, in pieces."""
    keys: dict[ImageSource, str] = {}
    for source in sources:
        if source not in keys:
            keys[source] = file_digest(source) if isinstance(source, Path) else source.name
    return keys
