"""Pictures varied while they are learnt, so that few of them teach as much as many.

A picture is moved (cropped, stretched, turned, mirrored in one step), recoloured, partly hidden, and mixed with
another of its batch. What is drawn comes from `Draws`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from heed.errors import SettingsError
from heed.settings import settings
from heed.tasks.image_draws import Draws
from heed.tasks.recolouring import greyed, operated, recoloured

MOST_OPERATIONS = 8
SMALLEST_PATCH, LARGEST_PATCH = 0.02, 0.25  # area that erasing hides (Zhong et al. 2020)


@settings
class AugmentationSettings:
    """The default suits some thousand pictures from scratch; none of it changes what is predicted or scored."""

    crop: float = 0.4  # smallest share of the picture's area that is shown; 1: always all of it
    stretch: float = 1.33  # most by which one side is stretched against the other; 1: not at all
    turn: float = 10.0  # most degrees, either way
    flip: bool = True  # mirrored half of the time; not for letters or road signs
    colour: float = 0.3  # most by which brightness, contrast and saturation change; 0: not at all
    hue: float = 0.0  # most by which colours turn round the wheel; 1: any colour becomes any other
    grey: float = 0.0  # share of the pictures that are shown without colour, so that shapes are learnt
    operations: int = 0  # of RandAugment's kind (Cubuk et al. 2020): so many drawn for each picture
    strength: float = 0.5  # of those, from 0 to 1
    erase: float = 0.25  # share of the pictures in which a rectangle is hidden
    mixup: float = 0.0  # share of the pictures that shine through another (Zhang et al. 2018)
    cutmix: float = 0.5  # share of the pictures in which a rectangle of another stands (Yun et al. 2019)

    def __post_init__(self) -> None:
        for name in ("colour", "hue", "grey", "strength", "erase", "mixup", "cutmix"):
            if not 0 <= getattr(self, name) <= 1:
                raise SettingsError(f"augmentation.{name} is {getattr(self, name)}. Use a share from 0 to 1.")
        if not 0 < self.crop <= 1:
            raise SettingsError(f"augmentation.crop is {self.crop}. Use a share of the area above 0 and up to 1.")
        if not 1 <= self.stretch <= 4:
            raise SettingsError(f"augmentation.stretch is {self.stretch}. Use 1 (not at all) to 4.")
        if not 0 <= self.turn <= 180:
            raise SettingsError(f"augmentation.turn is {self.turn}. Use degrees from 0 to 180.")
        if not 0 <= self.operations <= MOST_OPERATIONS:
            raise SettingsError(f"augmentation.operations is {self.operations}. Use 0 to {MOST_OPERATIONS}.")
        if self.mixup + self.cutmix > 1:
            raise SettingsError(
                f"augmentation.mixup is {self.mixup} and augmentation.cutmix {self.cutmix}: together they are more "
                f"than all pictures. Make their sum at most 1."
            )


@dataclass(frozen=True)
class Examples:
    """Pictures and how much of each class is in them."""

    images: Tensor  # (B, 3, side, side) from 0 to 1
    expected: Tensor  # (B, classes), each row sums to one


def augmented(
    examples: Examples, side: int, settings: AugmentationSettings, draws: Draws, before: Sequence[int] | None = None
) -> Examples:
    """Return the examples as one epoch shows them, at the side that the model reads.

    `before` tells which one stands before each of the first examples in their batch; the others are there for them
    alone, and left out. None: the examples are a whole batch.
    """
    images = varied(examples.images, side, settings, draws)
    if before is None:
        before = [*range(-1, len(images) - 1)]
    others = Examples(images[before], examples.expected[before])
    own = Examples(images[: len(before)], examples.expected[: len(before)])
    return mixed(own, others, settings.mixup, settings.cutmix, draws.first(len(before)))


def varied(images: Tensor, side: int, settings: AugmentationSettings, draws: Draws) -> Tensor:
    """Return the pictures, each by itself, as one epoch shows them: moved, recoloured, partly hidden."""
    images = moved(images, side, settings, draws)
    images = recoloured(images, settings.colour, settings.hue, draws)
    images = greyed(images, settings.grey, draws)
    images = operated(images, settings.operations, settings.strength, draws)
    return erased(images, settings.erase, draws)


def moved(images: Tensor, side: int, settings: AugmentationSettings, draws: Draws) -> Tensor:
    """Return (B, 3, side, side): part of each picture, stretched, turned and mirrored in one sampling."""
    area_B = draws.between(settings.crop, 1.0)
    ratio_B = draws.between(-math.log(settings.stretch), math.log(settings.stretch)).exp()
    width_B, height_B = (area_B * ratio_B).sqrt().clamp(max=1), (area_B / ratio_B).sqrt().clamp(max=1)
    angle_B = draws.between(-math.radians(settings.turn), math.radians(settings.turn))
    # Coordinates go from -1 to 1: a part of width w may have its middle from w - 1 to 1 - w.
    middle_x_B = (1 - width_B) * draws.between(-1.0, 1.0)
    middle_y_B = (1 - height_B) * draws.between(-1.0, 1.0)
    mirror_B = torch.where(draws.happens(0.5 if settings.flip else 0.0), -1.0, 1.0)
    across = torch.stack([width_B * angle_B.cos() * mirror_B, -height_B * angle_B.sin(), middle_x_B], dim=1)
    down = torch.stack([width_B * angle_B.sin() * mirror_B, height_B * angle_B.cos(), middle_y_B], dim=1)
    places = functional.affine_grid(
        torch.stack([across, down], dim=1), [len(images), 3, side, side], align_corners=False
    )
    return functional.grid_sample(images, places, padding_mode="reflection", align_corners=False)


def erased(images: Tensor, share: float, draws: Draws) -> Tensor:
    """Return the pictures, some with a rectangle of one colour that hides a part."""
    area_B = draws.between(SMALLEST_PATCH, LARGEST_PATCH) * draws.happens(share)
    hidden = rectangles(area_B, draws.between(-math.log(3), math.log(3)).exp(), images.shape[-1], draws)
    colours_B3 = torch.stack([draws.uniform() for _ in range(3)], dim=1)
    return torch.where(hidden, colours_B3[..., None, None].to(images.dtype), images)


def mixed(examples: Examples, before: Examples, mixup: float, cutmix: float, draws: Draws) -> Examples:
    """Return the examples, some mixed with the one before them in the batch, and their classes with them."""
    images, others = examples.images, before.images
    chance_B, own_B = draws.uniform(), draws.uniform()
    is_cut_B, shines_B = chance_B < cutmix, (chance_B >= cutmix) & (chance_B < cutmix + mixup)
    box = rectangles(torch.where(is_cut_B, 1 - own_B, 0.0), torch.ones_like(own_B), images.shape[-1], draws)
    # A rectangle that goes over the edge is smaller than drawn: what counts is what is seen.
    cut_share_B = 1 - box.float().mean(dim=(1, 2, 3))
    own_B = torch.where(shines_B, own_B, 1.0)
    blended = torch.lerp(others, images, own_B[:, None, None, None].to(images.dtype))
    share_B1 = (own_B * cut_share_B)[:, None]
    expected = examples.expected * share_B1 + before.expected * (1 - share_B1)
    return Examples(torch.where(box, others, blended), expected)


def rectangles(area_B: Tensor, ratio_B: Tensor, side: int, draws: Draws) -> Tensor:
    """Return (B, 1, side, side): true in a rectangle of such an area, somewhere in each picture; it may be cut off."""
    places_S = (torch.arange(side) + 0.5) / side
    within = []
    for length_B in ((area_B / ratio_B).sqrt(), (area_B * ratio_B).sqrt()):
        middle_B1 = draws.uniform()[:, None]
        within.append((places_S - middle_B1).abs() < length_B[:, None] / 2)
    rows_BS, columns_BS = within
    return (rows_BS[:, :, None] & columns_BS[:, None, :])[:, None]
