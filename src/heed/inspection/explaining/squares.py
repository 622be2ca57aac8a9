"""A picture as its model sees it: a square cut into patches, and that square as a file to show."""

from io import BytesIO

from PIL import Image

from heed.data.image_reading import name_of, read_squares
from heed.data.records import ImageSource
from heed.data.squares import Fit
from heed.errors import DataError
from heed.inspection.explanation import Axis
from heed.models.vit import Vit

PICTURE = "picture"


def square_of(source: ImageSource, side: int, fit: Fit) -> bytes:
    """Return the pixels (side, side, 3) of a picture, or refuse it with the reason."""
    (square,) = read_squares([source], side, fit)
    if isinstance(square, str):
        raise DataError(f"{name_of(source)}: {square}")
    return square


def png_of(square: bytes, side: int) -> bytes:
    """Return the square as a PNG file."""
    data = BytesIO()
    Image.frombytes("RGB", (side, side), square).save(data, format="PNG")
    return data.getvalue()


def picture_axis(encoder: Vit) -> Axis:
    """Return what looks and is looked at in a picture: [CLS], registers, then the patches row by row."""
    rows, columns = encoder.patch_grid
    registers = encoder.settings.registers
    first = ("[CLS]",) if encoder.patches_begin > registers else ()
    kept = tuple(f"register {number}" for number in range(1, registers + 1))
    patches = tuple(f"row {row}, column {column}" for row in range(1, rows + 1) for column in range(1, columns + 1))
    return Axis(PICTURE, (*first, *kept, *patches), grid=(rows, columns))
