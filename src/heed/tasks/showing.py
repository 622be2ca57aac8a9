"""`Showing`: how pictures are shown while they are learnt: varied as an epoch draws it, as numbers that models read."""

from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from heed.tasks.augmentation import AugmentationSettings, Examples, augmented, varied
from heed.tasks.image import ColourSettings, Squares, to_floats
from heed.tasks.image_draws import Draws


@dataclass(frozen=True)
class Showing:
    """What is drawn comes from the seed, the epoch and the picture alone."""

    augmentation: AugmentationSettings
    colours: ColourSettings
    side: int  # that the model reads
    seed: int

    def draws(self, epoch: int, rows: Sequence[int]) -> Draws:
        """Return what is random about these pictures in an epoch."""
        return Draws(self.seed, epoch, rows)

    def alone(self, squares: Squares, rows: Sequence[int], draws: Draws) -> Tensor:
        """Return the chosen pictures (B, 3, side, side), each varied by itself."""
        return self.colours.scaled(varied(to_floats(squares, rows), self.side, self.augmentation, draws))

    def mixed(self, squares: Squares, rows: Sequence[int], expected_BC: Tensor, epoch: int) -> Examples:
        """Return the chosen pictures varied, some mixed with each other, and their classes with them."""
        examples = Examples(to_floats(squares, rows), expected_BC)
        shown = augmented(examples, self.side, self.augmentation, self.draws(epoch, rows))
        return Examples(self.colours.scaled(shown.images), shown.expected)
