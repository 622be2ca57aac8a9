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

    def mixed(
        self, squares: Squares, rows: Sequence[int], places: Sequence[int], expected_NC: Tensor, epoch: int
    ) -> Examples:
        """Return the pictures at these places of a batch varied, some mixed with those before them in the batch.

        `expected_NC` has the classes of all pictures.
        """
        mixes = self.augmentation.mixup + self.augmentation.cutmix > 0
        neighbours = [(place - 1) % len(rows) for place in places] if mixes else places
        # Those that are wanted, then those that are only mixed into them.
        needed = [*places, *sorted({*neighbours} - {*places})]
        index = {place: at for at, place in enumerate(needed)}
        chosen = [rows[place] for place in needed]
        examples, before = Examples(to_floats(squares, chosen), expected_NC[chosen]), [index[at] for at in neighbours]
        shown = augmented(examples, self.side, self.augmentation, self.draws(epoch, chosen), before)
        return Examples(self.colours.scaled(shown.images), shown.expected)
