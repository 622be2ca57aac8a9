"""Pictures decoded for a model that waits for them, on as many threads as torch has."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy
import torch
from torch import Tensor

from heed.data.image_reading import Square, name_of, read_squares
from heed.data.records import ImageSource
from heed.data.squares import Fit
from heed.errors import DataError
from heed.tasks.image import ColourSettings, Squares, to_floats

AT_ONCE = 16  # pictures that a thread decodes in one go


def read_in_threads(sources: Sequence[ImageSource], side: int, fit: Fit) -> list[Square]:
    """Return the square of each picture, or why there is none. Pillow lets go of the interpreter while it decodes."""
    parts = [sources[start : start + AT_ONCE] for start in range(0, len(sources), AT_ONCE)]
    if len(parts) == 1:
        return read_squares(sources, side, fit)
    with ThreadPoolExecutor(min(torch.get_num_threads(), len(parts))) as pool:
        return [square for part in pool.map(lambda part: read_squares(part, side, fit), parts) for square in part]


def stacked(squares: Sequence[bytes], side: int) -> Squares:
    """Return squares as one array (N, side, side, 3)."""
    # A bytearray, for torch warns of memory that it may not write to.
    return numpy.frombuffer(bytearray(b"".join(squares)), dtype=numpy.uint8).reshape(len(squares), side, side, 3)


def read_square(source: ImageSource, side: int, fit: Fit) -> bytes:
    """Return the square of one picture, or refuse it with the reason."""
    (square,) = read_squares([source], side, fit)
    if isinstance(square, str):
        raise DataError(f"{name_of(source)}: {square}")
    return square


def image_of(square: bytes, side: int, colours: ColourSettings) -> Tensor:
    """Return one square as a model reads it, (1, 3, side, side)."""
    return colours.scaled(to_floats(stacked([square], side), [0]))
