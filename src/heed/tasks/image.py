"""Task `image`: pictures become batches, batches become a loss; and what a model says of many pictures."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from heed.data.image_store import Broken
from heed.errors import SettingsError
from heed.layers.digits import with_digits
from heed.models.vit import ImageClassifier
from heed.settings import settings
from heed.tasks.reading import POSITIONS_PER_BATCH, Outputs
from heed.tasks.side_by_side import one_for_each_thread, side_by_side

Squares = NDArray[numpy.uint8]  # (N, side, side, 3), in memory or mapped from a file
Record = TypeVar("Record")


@dataclass(frozen=True)
class Pictured(Generic[Record]):
    """Records and their pictures, in the same order, and the pictures that could not be read."""

    records: Sequence[Record]
    squares: Squares  # those to learn from may be larger than the model reads; those to choose by are not
    broken: Sequence[Broken] = ()


@settings
class ColourSettings:
    """How numbers from 0 to 1 become what a model reads: less the mean, over the spread, of red, green and blue."""

    mean: tuple[float, ...] = (0.5, 0.5, 0.5)  # of red, green and blue; a published model brings its own
    spread: tuple[float, ...] = (0.5, 0.5, 0.5)  # what is left is divided by it

    def __post_init__(self) -> None:
        for name in ("mean", "spread"):
            if len(getattr(self, name)) != 3:
                raise SettingsError(f"colours.{name} is {list(getattr(self, name))}. Give three: red, green and blue.")
        if min(self.spread) <= 0:
            raise SettingsError(f"colours.spread is {list(self.spread)}. Give numbers above 0.")

    def scaled(self, images: Tensor) -> Tensor:
        """Return pictures (B, 3, side, side) as a model reads them."""
        mean, spread = (torch.tensor(each, dtype=images.dtype)[:, None, None] for each in (self.mean, self.spread))
        return (images - mean) / spread


@dataclass(frozen=True)
class ImageBatch:
    """Pictures as a model reads them, and how much of each class is in them."""

    images: Tensor  # (B, 3, side, side)
    expected: Tensor  # (B, classes)
    positions: int  # patches of a picture, and what stands before them

    @property
    def tokens(self) -> int:
        """Return the number of positions that the model reads."""
        return len(self.images) * self.positions

    @property
    def targets(self) -> int:
        """Return the number of pictures: what the loss is divided by."""
        return len(self.images)


def to_floats(squares: Squares, chosen: Sequence[int]) -> Tensor:
    """Return the chosen pictures as (B, 3, side, side) from 0 to 1."""
    images = torch.from_numpy(squares[numpy.asarray(chosen, dtype=numpy.int64)])
    return images.permute(0, 3, 1, 2).contiguous().float().div_(255)


def positions_of(model: ImageClassifier) -> int:
    """Return how many positions a picture takes in the encoder."""
    rows, columns = model.encoder.patch_grid
    return model.encoder.patches_begin + rows * columns


def read_images(model: ImageClassifier, squares: Squares, colours: ColourSettings) -> Outputs:
    """Return the model's outputs (N, classes), in the order of the pictures, which have the side that it reads."""
    together = max(1, POSITIONS_PER_BATCH // positions_of(model))
    chosen = [list(range(start, min(start + together, len(squares)))) for start in range(0, len(squares), together)]
    chosen = one_for_each_thread(chosen)

    def read(rows: Sequence[int]) -> Outputs:
        with torch.inference_mode():  # of the thread, so each worker says it itself
            return model(colours.scaled(to_floats(squares, rows))).numpy()

    if len(chosen) == 1:  # one picture: its products are large enough to be shared by all threads
        return read(chosen[0])
    return numpy.concatenate(side_by_side(read, chosen))


class ImageObjective(nn.Module):
    """The cross entropy of a batch, summed over its pictures."""

    def __init__(self, model: ImageClassifier, label_smoothing: float) -> None:
        super().__init__()
        self.model = model
        self.label_smoothing = label_smoothing

    def forward(self, batch: ImageBatch) -> Tensor:
        """Return the summed loss."""
        outputs_BC = with_digits(self.model(batch.images.to(self.model.head.weight.dtype)))
        return functional.cross_entropy(
            outputs_BC, batch.expected, reduction="sum", label_smoothing=self.label_smoothing
        )
