"""`survey_images`: every picture looked at once, one after the other, for a report; never more than one is held."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL.Image import Image

from heed.data.records import ImageSource
from heed.errors import DataError
from heed.files.digests import file_digest
from heed.files.image_kinds import ImageKind, image_kind
from heed.files.images import read_image

DRAWN = ImageKind("drawn", "RGB")


@dataclass(frozen=True, slots=True)
class Look:
    """What one picture showed."""

    stored: str  # SHA-256 of the file's bytes: equal for equal files alone
    seen: str  # SHA-256 of the picture itself: equal for two that differ only in how they are stored
    width: int  # upright; 0 where it cannot be read
    height: int
    kind: ImageKind | None  # None where it cannot be read
    fault: str = ""  # the sentence that says why it cannot be read, with its name


def unheard(done: int, of: int) -> None:
    """Tell nobody how far the work is."""


def survey_images(sources: Sequence[ImageSource], tell: Callable[[int, int], None] = unheard) -> list[Look]:
    """Return a look at each picture, in order; `tell` hears how many of how many are done."""
    looks: list[Look] = []
    for source in sources:
        looks.append(look_at(source))
        tell(len(looks), len(sources))
    return looks


def look_at(source: ImageSource) -> Look:
    """Read or draw one picture; one that cannot be read is no error here, but has a fault."""
    if not isinstance(source, Path):
        image = source.draw().convert("RGB")
        return Look(_digest(image), _digest(image), image.width, image.height, DRAWN)
    try:
        stored = file_digest(source)
    except DataError as error:
        return Look(str(source), str(source), 0, 0, None, str(error))
    try:
        image = read_image(source)
        return Look(stored, _digest(image), image.width, image.height, image_kind(source))
    except DataError as error:
        return Look(stored, stored, 0, 0, None, str(error))


def _digest(image: Image) -> str:
    digest = hashlib.sha256(f"{image.width} x {image.height}".encode())
    digest.update(image.tobytes())
    return digest.hexdigest()
