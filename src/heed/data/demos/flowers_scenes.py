"""Which pictures of flowers there are: every kind in every colour on every background, all else drawn by lot.

Of each kind in two of its colours one background is held out for the test split. Train still shows each kind with each
colour and with each background, and each colour on each background: a model that sees the three apart names the unseen
combination, and one that has learnt combinations by heart does not. Were many held out, then colour and background
together would tell which kind it is not, and training would teach just what the test forbids.
"""

import math
from dataclasses import dataclass
from typing import Literal

from heed.data.demos.flowers_parameters import (
    BACKGROUNDS,
    COLOURS,
    KINDS,
    RADII,
    Background,
    Blossom,
    Clutter,
    Colour,
    FlowerScene,
    Kind,
    Size,
)
from heed.data.demos.flowers_pen import between
from heed.data.demos.grammar import Draws, Split, Weighted, weigh

SEED = "heed flowers 1"
SIZES: dict[Split, int] = {"train": 4_000, "valid": 250, "test": 250}

_PETALS: dict[Kind, tuple[int, int]] = {
    "daisy": (12, 17),
    "dandelion": (110, 150),
    "rose": (11, 16),
    "sunflower": (14, 20),
    "tulip": (3, 5),
}
_ONE_SIZES: Weighted[Size] = weigh([("small", 20), ("medium", 40), ("large", 40)])
_TWO = 25  # of a hundred pictures show two flowers


@dataclass(frozen=True, slots=True)
class Combination:
    """What a caption tells, whatever else is in the picture."""

    kind: Kind
    colour: Colour
    background: Background

    @property
    def held_out(self) -> bool:
        """Return whether it stands in the test split and nowhere else."""
        kind, colour = KINDS.index(self.kind), COLOURS.index(self.colour)
        background = BACKGROUNDS.index(self.background)
        # Two colours of each kind; no colour on a background is held out of two kinds.
        return (colour - kind) % 3 == 0 and background == (kind + colour) % len(BACKGROUNDS)


def combinations(kind: Kind, held_out: bool) -> tuple[Combination, ...]:
    """Return those of a kind that are held out, or the others; white flowers on white are left out everywhere."""
    every = (Combination(kind, colour, background) for colour in COLOURS for background in BACKGROUNDS)
    return tuple(
        made for made in every if made.held_out == held_out and (made.colour, made.background) != ("white", "white")
    )


def scenes(split: Split) -> tuple[FlowerScene, ...]:
    """Return the pictures of a split, always the same; all kinds are equally common, and so are their combinations."""
    draws = Draws(f"{SEED} {split}")
    choices = {kind: combinations(kind, split == "test") for kind in KINDS}
    made = []
    for number in range(SIZES[split]):
        turn, which = divmod(number, len(KINDS))
        options = choices[KINDS[which]]
        # In strides, so that any stretch of a split shows many colours.
        made.append(draw_by_lot(options[(7 * turn + which) % len(options)], draws))
    return tuple(made)


def draw_by_lot(combination: Combination, draws: Draws) -> FlowerScene:
    """Return a picture of the combination with all else drawn by lot."""
    blossoms = _two(combination, draws) if draws.chance(_TWO) else (_one(combination, draws),)
    return FlowerScene(
        background=combination.background,
        blossoms=blossoms,
        clutter=tuple(_clutter(draws) for _ in range(draws.below(3))),
        light=between(draws, 0.9, 1.1),
        grading=between(draws, 0, math.tau),
        noise=2 + draws.below(5),
        seed=_seed(draws),
    )


def _one(combination: Combination, draws: Draws) -> Blossom:
    radius = between(draws, *RADII[draws.pick_weighted(_ONE_SIZES)])
    free = max(0.02, 0.47 - radius)  # how far from the middle it stays whole
    return _blossom(combination, radius, 0.5 + free * between(draws, -1, 1), 0.48 + free * between(draws, -1, 1), draws)


def _two(combination: Combination, draws: Draws) -> tuple[Blossom, Blossom]:
    """Return two flowers of one size side by side, of which neither hides the other."""
    size: Literal["small", "medium"] = draws.pick(("small", "medium"))
    shortest = RADII[size][0]
    radius = between(draws, shortest, shortest + 0.015)
    slope = draws.pick((-1, 1)) * between(draws, 0.06, 0.2)
    left = _blossom(combination, radius, between(draws, 0.24, 0.26), 0.46 - slope, draws)
    right = _blossom(combination, radius, between(draws, 0.74, 0.76), 0.46 + slope, draws)
    return left, right


def _blossom(combination: Combination, radius: float, x: float, y: float, draws: Draws) -> Blossom:
    fewest, most = _PETALS[combination.kind]
    is_tulip = combination.kind == "tulip"
    stem = is_tulip or draws.chance(70)
    return Blossom(
        kind=combination.kind,
        colour=combination.colour,
        petals=fewest + draws.below(most - fewest + 1),
        radius=radius,
        x=x,
        y=y,
        turn=between(draws, -0.3, 0.3) if is_tulip else between(draws, 0, math.tau),
        stem=stem,
        leaves=draws.below(3) if stem else 0,
        seed=_seed(draws),
    )


def _clutter(draws: Draws) -> Clutter:
    kind: Literal["leaf", "blossom"] = draws.pick(("leaf", "leaf", "blossom"))
    return Clutter(
        kind=kind,
        colour=draws.pick(COLOURS),
        radius=between(draws, 0.12, 0.2) if kind == "leaf" else between(draws, 0.05, 0.09),
        x=between(draws, 0, 1),
        y=between(draws, 0, 1),
        turn=between(draws, 0, math.tau),
    )


def _seed(draws: Draws) -> int:
    return draws.below(1 << 31)
