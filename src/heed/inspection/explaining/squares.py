"""A picture as its model sees it: a square cut into patches, and that square as a file to show."""

from io import BytesIO

from PIL import Image

from heed.data.records import ImageSource
from heed.inspection.explanation import Axis
from heed.models.vit import Vit

PICTURE = "picture"


def title_of(source: ImageSource) -> str:
    """Return what an explanation calls a picture: not its folder, for explanations are sent to others."""
    return source.name


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
