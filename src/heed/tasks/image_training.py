"""`ImageTraining`: what a trainer needs of `image`: batches of varied pictures, loss, validation."""

from collections.abc import Sequence

import numpy
from torch import Tensor
from torch.nn import functional

from heed.data.order import batches
from heed.data.records import LabelledImage
from heed.models.vit import ImageClassifier
from heed.tasks.image import ImageBatch, ImageObjective, Pictured, positions_of, read_images
from heed.tasks.labelled_scores import brief_scores, shown
from heed.tasks.showing import Showing
from heed.tasks.targets import Classes
from heed.tasks.validation import Sample, Validation


class ImageTraining:
    """Pictures to learn from and to choose by, around one model."""

    def __init__(
        self,
        model: ImageClassifier,
        targets: Classes,
        train: Pictured[LabelledImage],
        valid: Pictured[LabelledImage],
        showing: Showing,
        label_smoothing: float,
    ) -> None:
        self.model = model
        self.targets = targets
        self.train, self.valid = train, valid
        self.showing = showing
        self.objective = ImageObjective(model, label_smoothing)
        self.positions = positions_of(model)
        self.expected: Tensor = functional.one_hot(targets.encode(train.records), targets.outputs).float()
        self.valid_expected: Tensor = targets.encode(valid.records)
        # Every picture is as long as every other: what is left of the order is a shuffle, cut into batches.
        self.lengths = numpy.tile(numpy.array([[self.positions, 0]]), (len(train.records), 1))

    def order(self, seed: int, epoch: int, tokens_per_batch: int, window: int) -> list[list[int]]:
        """Return the pictures of an epoch in batches of so many positions."""
        return batches(self.lengths, seed, epoch, tokens_per_batch, window)

    def batch(self, rows: Sequence[int], epoch: int) -> ImageBatch:
        """Return the chosen pictures as this epoch shows them."""
        return self.part(rows, range(len(rows)), epoch)

    def part(self, rows: Sequence[int], places: Sequence[int], epoch: int) -> ImageBatch:
        """Return what stands at these places of the batch of all rows: pictures are mixed with those before them."""
        seen = self.showing.mixed(self.train.squares, rows, places, self.expected, epoch)
        return ImageBatch(seen.images, seen.expected, self.positions)

    def validate(self) -> Validation:
        """Return the scores over all validation pictures, and one of them to look at."""
        outputs = read_images(self.model, self.valid.squares, self.showing.colours)
        values, score = brief_scores(self.targets, outputs, self.valid_expected.numpy())
        middle = len(self.valid.records) // 2
        record = self.valid.records[middle]
        sample = Sample(record.place, record.label, shown(self.targets, outputs[middle]))
        return Validation(score=score, values=values, sample=sample)
