"""Other colours for pictures: brightness, contrast, saturation, hue, grey, and operations of RandAugment's kind.

The paper (Cubuk et al. 2020) draws among fourteen operations. Those that move a picture are done with the crop in one
sampling (`augmentation.moved`); these are the others.
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional

from heed.tasks.image_draws import Draws

GREY = (0.299, 0.587, 0.114)  # how bright red, green and blue are to the eye
Operation = Callable[[Tensor, Tensor], Tensor]  # pictures (B, 3, S, S) and a strength (B, 1, 1, 1) from -1 to 1


def recoloured(images: Tensor, colour: float, hue: float, draws: Draws) -> Tensor:
    """Return the pictures in other colours, from 0 to 1."""
    changes = ((brighter, colour), (more_contrast, colour), (more_colourful, colour), (turned_round_the_wheel, hue))
    for change, most in changes:
        amounts_B = draws.between(-most, most)
        if most > 0:
            images = change(images, _wide(amounts_B, images))
    return images


def greyed(images: Tensor, share: float, draws: Draws) -> Tensor:
    """Return the pictures, such a share of them without their colour."""
    loses_B = draws.happens(share)
    return torch.where(loses_B[:, None, None, None], grey(images), images) if share > 0 else images


def operated(images: Tensor, operations: int, strength: float, draws: Draws) -> Tensor:
    """Return the pictures after so many of the operations, drawn for each."""
    for _ in range(operations):
        images = _one_each(images, draws.uniform(), draws.between(-strength, strength))
    return images


def brighter(images: Tensor, amounts: Tensor) -> Tensor:
    """Return the pictures brighter (above 0) or darker (below 0) by a share."""
    return (images * (1 + amounts)).clamp(0, 1)


def more_contrast(images: Tensor, amounts: Tensor) -> Tensor:
    """Return the pictures with every colour further from the mean grey, or nearer to it."""
    mean_B111 = grey(images).mean(dim=(2, 3), keepdim=True)
    return torch.lerp(mean_B111.expand_as(images), images, 1 + amounts).clamp(0, 1)


def more_colourful(images: Tensor, amounts: Tensor) -> Tensor:
    """Return the pictures with every colour further from its own grey, or nearer to it."""
    return torch.lerp(grey(images).expand_as(images), images, 1 + amounts).clamp(0, 1)


def turned_round_the_wheel(images: Tensor, amounts: Tensor) -> Tensor:
    """Return the pictures with every colour turned about the axis of greys: half a turn for 1; greys stay."""
    angle_B11 = math.pi * amounts[..., 0]
    # Rodrigues' rotation about (1, 1, 1): its outer product with itself is full of ones, its cross product is `across`.
    across = torch.tensor([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]], dtype=images.dtype) / math.sqrt(3)
    cosine, sine = angle_B11.cos(), angle_B11.sin()
    turns_B33 = cosine * torch.eye(3, dtype=images.dtype) + (1 - cosine) / 3 + sine * across
    return (turns_B33 @ images.flatten(2)).clamp(0, 1).view_as(images)


def posterised(images: Tensor, amounts: Tensor) -> Tensor:
    """Return the pictures with few steps of each colour: 256 for strength 0, 4 for 1."""
    steps = (2 ** (8 - 6 * amounts.abs())).round()
    return ((images * steps).floor() / (steps - 1)).clamp(0, 1)


def solarised(images: Tensor, amounts: Tensor) -> Tensor:
    """Return the pictures with what is brighter than a threshold inverted: nothing for strength 0, all for 1."""
    return torch.where(images > 1 - amounts.abs(), 1 - images, images)


def stretched(images: Tensor, amounts: Tensor) -> Tensor:
    """Return the pictures with each colour spread towards the whole range (autocontrast), by a share."""
    low, high = images.amin(dim=(2, 3), keepdim=True), images.amax(dim=(2, 3), keepdim=True)
    return torch.lerp(images, (images - low) / (high - low).clamp(min=1e-3), amounts.abs()).clamp(0, 1)


def sharper(images: Tensor, amounts: Tensor) -> Tensor:
    """Return the pictures sharper (above 0) or blurred (below 0), against a mean over three by three."""
    smooth = functional.avg_pool2d(functional.pad(images, (1, 1, 1, 1), mode="replicate"), 3, stride=1)
    return torch.lerp(smooth, images, 1 + amounts).clamp(0, 1)


OPERATIONS: tuple[Operation, ...] = (
    brighter,
    more_contrast,
    more_colourful,
    posterised,
    solarised,
    stretched,
    sharper,
)


def grey(images: Tensor) -> Tensor:
    """Return how bright each place is: (B, 1, S, S)."""
    shares = torch.tensor(GREY, dtype=images.dtype)[:, None, None]
    return (images * shares).sum(dim=1, keepdim=True)


def _one_each(images: Tensor, choice_B: Tensor, amounts_B: Tensor) -> Tensor:
    """Return the pictures, on each of which one operation was done."""
    chosen_B = (choice_B * len(OPERATIONS)).long()
    result = images.clone()
    for number, operation in enumerate(OPERATIONS):
        rows = (chosen_B == number).nonzero().flatten()
        if len(rows):
            result[rows] = operation(images[rows], _wide(amounts_B[rows], images))
    return result


def _wide(amounts_B: Tensor, images: Tensor) -> Tensor:
    return amounts_B[:, None, None, None].to(images.dtype)
