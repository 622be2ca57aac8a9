"""`image_kind`: in which format a picture is stored and with which colours, read from the head of its file alone."""

from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from heed.errors import DataError
from heed.files.images import FORMATS
from heed.files.opening import why_not
from heed.files.quiet_pillow import quiet_pillow

# What Pillow's modes mean; those that are not here stand for themselves.
COLOURS = {
    "1": "black and white",
    "L": "grey",
    "LA": "grey with alpha",
    "I": "deep grey",
    "I;16": "deep grey",
    "I;16B": "deep grey",
    "F": "deep grey",
    "P": "palette",
    "PA": "palette with alpha",
    "RGB": "RGB",
    "RGBA": "RGB with alpha",
}


@dataclass(frozen=True, slots=True)
class ImageKind:
    """How a picture is stored."""

    format: str  # such as "JPEG"
    colours: str  # such as "RGB" or "grey with alpha"


def image_kind(path: Path) -> ImageKind:
    """Return how a picture is stored that `read_image` has read before, and so can be opened."""
    try:
        with quiet_pillow(), Image.open(path, formats=FORMATS) as image:
            return ImageKind(image.format or "unknown", COLOURS.get(image.mode, image.mode))
    except OSError as error:  # it has changed or gone since
        raise DataError(why_not(path, error)) from None
