"""`read_image`, `decode_image`: a picture of a file, or of bytes, as upright RGB, wholly decoded; else one DataError.

A file of a few kilobytes may claim a picture that fills the memory, or keep a decoder busy for hours: sizes are
compared with what is allowed before anything is decoded. A file that was cut off is refused; there is no half picture.
"""

import io
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from heed.errors import DataError
from heed.files.image_colours import upright_rgb
from heed.files.jpeg_sections import count_sections
from heed.files.opening import why_not
from heed.files.quiet_pillow import quiet_libtiff, quiet_pillow

FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF")  # nothing else that Pillow knows is tried
LARGEST_FILE = 64_000_000  # bytes
MOST_PIXELS = 25_000_000  # 100 MB while it is decoded; cameras of 24 megapixels fit
MOST_SECTIONS = 100  # of a progressive JPEG: about ten scans and their tables are usual
_SMALLER = "Leave it out, or make it smaller."
_CURE = "Leave it out, or save it again as PNG or JPEG."


def read_image(path: Path, most_pixels: int = MOST_PIXELS) -> Image.Image:
    """Return the picture in a file; of an animation the first frame."""
    return decode_image(_read_bounded(path), str(path), most_pixels)


def decode_image(data: bytes, name: str, most_pixels: int = MOST_PIXELS) -> Image.Image:
    """Return the picture that a file of these bytes holds; `name` is what an error calls it."""
    with _one_sentence(name, most_pixels), quiet_pillow():
        image = Image.open(io.BytesIO(data), formats=FORMATS)  # reads no more than the header
        _check_pixels(image, name, most_pixels)
        _check_sections(image, data, name)
        with quiet_libtiff() if image.format == "TIFF" else nullcontext():
            image.load()  # not verify(), which is content with most files that were cut off
        return upright_rgb(image)


def _read_bounded(path: Path) -> bytes:
    try:
        state = os.stat(path)
        if not stat.S_ISREG(state.st_mode) and not stat.S_ISDIR(state.st_mode):
            raise DataError(f"{path}: is a pipe or a device, not a file. Leave it out.")  # could block, or never end
        if state.st_size > LARGEST_FILE:
            raise DataError(f"{path}: has {state.st_size:,} bytes; at most {LARGEST_FILE:,} are read. {_SMALLER}")
        with open(path, "rb") as stream:
            return stream.read(LARGEST_FILE)
    except OSError as error:
        raise DataError(why_not(path, error)) from None
    except ValueError as error:  # a name with a NUL character
        raise DataError(f"{str(path)!r} cannot be a file name: {error}. Give another.") from None


def _check_pixels(image: Image.Image, name: str, most_pixels: int) -> None:
    width, height = image.size
    if width * height > most_pixels:
        raise DataError(_too_many(name, f"{width:,} x {height:,} = {width * height:,}", most_pixels))


def _check_sections(image: Image.Image, data: bytes, name: str) -> None:
    if image.format not in ("JPEG", "MPO"):  # MPO: several JPEGs in one file, as telephones write them
        return
    if count_sections(data, MOST_SECTIONS) > MOST_SECTIONS:
        raise DataError(f"{name}: is a JPEG of more than {MOST_SECTIONS} sections, as none is saved. {_CURE}")


def _too_many(name: str, pixels: str, most_pixels: int) -> str:
    return f"{name}: has {pixels} pixels; at most {most_pixels:,} are decoded. {_SMALLER}"


@contextmanager
def _one_sentence(name: str, most_pixels: int) -> Iterator[None]:
    """Turn whatever Pillow raises into a DataError."""
    try:
        yield
    except DataError:
        raise
    except Image.DecompressionBombError:  # Pillow's own limit comes first for the very largest
        raise DataError(_too_many(name, f"more than {2 * (Image.MAX_IMAGE_PIXELS or 0):,}", most_pixels)) from None
    except Exception as error:  # noqa: BLE001  a damaged picture makes Pillow raise nearly anything
        raise DataError(f"{name}: is no picture that can be read ({_reason(error)}). {_CURE}") from None


def _reason(error: Exception) -> str:
    match error:
        case UnidentifiedImageError():
            return "it is no whole JPEG, PNG, WebP, GIF, BMP or TIFF"
        case MemoryError():
            return "it takes more memory than there is"
        case OSError() | ValueError() | SyntaxError():
            return _plain(str(error)) or "it is damaged"
        case _:
            return f"it is damaged: {type(error).__name__} {_plain(str(error))}".rstrip()


def _plain(text: str) -> str:
    """Return the first line without objects and their addresses, and without what cannot be printed."""
    line = re.sub(r"<[^>]*>|\b0x[0-9a-fA-F]{6,}", "", text.partition("\n")[0])
    return "".join(filter(str.isprintable, line))[:120].strip(" .")
