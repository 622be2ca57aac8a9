"""The five kinds of blossoms, each told from the others by its shape alone."""

import math
from dataclasses import dataclass
from typing import assert_never

from heed.data.demos.flowers_colours import BARK, GOLD, GREEN, PETALS, RGB, mixed, shaded
from heed.data.demos.flowers_parameters import Blossom
from heed.data.demos.flowers_pen import BELLIED, BROAD, POINTED, STRAP, Pen, between, towards
from heed.data.demos.grammar import Draws

GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))  # by which nature turns from one seed, or petal, to the next
UP = -math.pi / 2


@dataclass(frozen=True, slots=True)
class Head:
    """A blossom in the pixels of a canvas, in the light of the picture."""

    blossom: Blossom
    centre: complex
    radius: float
    light: float

    def tone(self, depth: float) -> RGB:
        """Return the colour of its petals at a depth from 0, in full light, to 1, in deep shade."""
        full, deep = PETALS[self.blossom.colour]
        return shaded(mixed(full, deep, depth), self.light)

    def tones(self, depth: float) -> tuple[RGB, RGB]:
        """Return the colour of a petal at that depth, and of its rim."""
        return self.tone(depth), self.tone(min(1, depth + 0.5))

    @property
    def foot(self) -> complex:
        """Return where the stem meets it."""
        if self.blossom.kind == "tulip":
            return self.centre - towards(UP + self.blossom.turn, 0.85 * self.radius)
        return self.centre


def draw_head(pen: Pen, head: Head, draws: Draws) -> None:
    """Draw the blossom without its stem."""
    match head.blossom.kind:
        case "daisy":
            _daisy(pen, head, draws)
        case "dandelion":
            _dandelion(pen, head, draws)
        case "rose":
            _rose(pen, head, draws)
        case "sunflower":
            _sunflower(pen, head, draws)
        case "tulip":
            _tulip(pen, head, draws)
        case kind:
            assert_never(kind)


def _daisy(pen: Pen, head: Head, draws: Draws) -> None:
    """Many thin petals with gaps between them, round a small disc."""
    petals = head.blossom.petals
    for petal in range(petals):
        angle = head.blossom.turn + math.tau * petal / petals + between(draws, -0.06, 0.06)
        along = towards(angle, head.radius * between(draws, 0.9, 1))
        pen.petal(STRAP, head.centre, along, 2.0 / petals, head.tones(between(draws, 0, 0.2)))
    pen.disc(head.centre, head.radius * 0.28, shaded(GOLD, 0.7 * head.light))
    pen.disc(head.centre, head.radius * 0.24, shaded(GOLD, head.light))


def _dandelion(pen: Pen, head: Head, draws: Draws) -> None:
    """A ball of fine rays: dense in a flower; few and tufted in a white one, which is a clock of seeds."""
    if head.blossom.colour == "white":
        _clock(pen, head, draws)
        return
    pen.disc(head.centre, head.radius * 0.6, head.tone(0.6))
    rays = head.blossom.petals
    for ray in range(rays):
        inwards = ray / rays  # the outer rays lie below the inner ones
        angle = head.blossom.turn + ray * GOLDEN_ANGLE + between(draws, -0.1, 0.1)
        tip = head.centre + towards(angle, head.radius * (1 - 0.7 * inwards**2) * between(draws, 0.8, 1))
        pen.stroke((head.centre, tip), head.radius * 0.045, head.tone(between(draws, 0, 0.6)))


def _clock(pen: Pen, head: Head, draws: Draws) -> None:
    radius, rays = head.radius, head.blossom.petals
    for ray in range(rays):
        angle = head.blossom.turn + ray * GOLDEN_ANGLE
        tip = head.centre + towards(angle, radius * (0.62, 0.77, 0.92)[ray % 3] * between(draws, 0.92, 1))
        tone = head.tone(between(draws, 0, 0.35))
        pen.stroke((head.centre, tip), radius * 0.02, tone)
        for lean in (-0.9, 0.0, 0.9):
            pen.stroke((tip, tip + towards(angle + lean, radius * 0.14)), radius * 0.02, tone)
    pen.disc(head.centre, radius * 0.13, shaded(BARK, 1.6 * head.light))


def _rose(pen: Pen, head: Head, draws: Draws) -> None:
    """Broad petals that overlap in a spiral, the inner ones smaller and in deeper shade."""
    petals = head.blossom.petals
    for petal in range(petals):
        inwards = petal / petals
        angle = head.blossom.turn + petal * GOLDEN_ANGLE + between(draws, -0.1, 0.1)
        along = towards(angle, head.radius * (1 - 0.72 * inwards) * between(draws, 0.95, 1.02))
        depth = 0.12 + 0.36 * inwards - 0.12 * math.sin(angle + 0.8)
        pen.petal(BROAD, head.centre, along, 0.72, head.tones(depth))
    eye = head.radius * 0.3
    spiral = [head.centre + towards(head.blossom.turn + turn * 0.7, eye * turn / 18) for turn in range(19)]
    pen.disc(head.centre, eye * 0.95, head.tone(0.5))
    pen.stroke(spiral, head.radius * 0.06, head.tone(1))


def _sunflower(pen: Pen, head: Head, draws: Draws) -> None:
    """Pointed petals in two rings, round a large dark disc of seeds."""
    petals = head.blossom.petals
    for ring, depth in ((0.5, 0.35), (0.0, 0.0)):
        for petal in range(petals):
            angle = head.blossom.turn + math.tau * (petal + ring) / petals + between(draws, -0.07, 0.07)
            base = head.centre + towards(angle, head.radius * 0.36)
            along = towards(angle, head.radius * between(draws, 0.56, 0.66))
            pen.petal(POINTED, base, along, 4.2 / petals, head.tones(depth + between(draws, 0, 0.15)))
    pen.disc(head.centre, head.radius * 0.55, shaded(BARK, head.light))
    seeds = 60
    for seed in range(seeds):
        at = head.centre + towards(seed * GOLDEN_ANGLE, head.radius * 0.5 * math.sqrt(seed / seeds))
        pen.disc(at, head.radius * 0.028, shaded(BARK, 1.75 * head.light))


def _tulip(pen: Pen, head: Head, draws: Draws) -> None:
    """A cup of three to five pointed petals, seen from the side."""
    radius, up = head.radius, towards(UP + head.blossom.turn)
    behind = {3: (), 4: (0.0,), 5: (-0.2, 0.2)}[head.blossom.petals]
    for lean in behind:
        pen.petal(BELLIED, head.foot, up * towards(lean, radius * 1.78), 0.28, head.tones(0.45))
    for side in (-1, 1):
        lean = side * between(draws, 0.26, 0.32)
        start = head.foot + up * 1j * side * radius * 0.1
        pen.petal(BELLIED, start, up * towards(lean, radius * 1.75), 0.33, head.tones(0.2))
    front = between(draws, -0.05, 0.05)
    pen.petal(BELLIED, head.foot, up * towards(front, radius * 1.5), 0.38, head.tones(0))
    pen.disc(head.foot, radius * 0.1, shaded(GREEN, head.light))
