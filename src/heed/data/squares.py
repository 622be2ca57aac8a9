"""`squared`: a picture as a small square of numbers, the form in which models see it."""

from typing import Literal, assert_never

import numpy
from numpy.typing import NDArray
from PIL import Image

Fit = Literal["crop", "squash"]  # crop: the middle square; squash: the whole picture, its sides made equal


def squared(image: Image.Image, side: int, fit: Fit) -> NDArray[numpy.uint8]:
    """Return an RGB picture as (side, side, 3) numbers; every pixel counts, in a triangle around each new one."""
    match fit:
        case "crop":
            # Cut first: a box that is given to `resize` lets pixels beyond its border count.
            part = image.crop(_middle_square(*image.size))
        case "squash":
            part = image
        case _:
            assert_never(fit)
    return numpy.array(part.resize((side, side), Image.Resampling.BILINEAR))


def _middle_square(width: int, height: int) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom; where the rest is odd, the larger half is cut at the right or the bottom."""
    side = min(width, height)
    left, top = (width - side) // 2, (height - side) // 2
    return left, top, left + side, top + side
