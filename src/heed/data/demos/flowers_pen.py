"""A pen for flowers: petals, discs and strokes on a large canvas, in points that are complex numbers.

A point times a complex number is that point turned and stretched, so one outline of a petal serves for all of them.
"""

import cmath
from collections.abc import Sequence
from dataclasses import dataclass

from PIL.ImageDraw import ImageDraw

from heed.data.demos.flowers_colours import RGB
from heed.data.demos.grammar import Draws

Outline = tuple[complex, ...]  # from base 0 to tip 1, at most 1 to each side

_STEPS = 1 << 16


def outline(*half_widths: tuple[float, float]) -> Outline:
    """Return a petal from its half-width at places between base and tip."""
    right = [complex(along, across) for along, across in half_widths]
    return (*right, *(point.conjugate() for point in reversed(right)))


STRAP = outline((0, 0.3), (0.35, 0.7), (0.7, 1), (0.88, 0.95), (0.97, 0.6), (1, 0.15))
POINTED = outline((0, 0.5), (0.25, 0.95), (0.45, 1), (0.7, 0.65), (1, 0))
BROAD = outline((0, 0.4), (0.3, 0.8), (0.6, 1), (0.82, 0.88), (0.95, 0.55), (1, 0.15))
BELLIED = outline((0, 0.45), (0.15, 0.85), (0.35, 1), (0.6, 0.88), (0.82, 0.5), (1, 0))
LEAF = outline((0, 0.1), (0.2, 0.7), (0.45, 1), (0.75, 0.6), (1, 0))


def between(draws: Draws, low: float, high: float) -> float:
    """Return the next number from low to high."""
    return low + (high - low) * draws.below(_STEPS) / (_STEPS - 1)


@dataclass(frozen=True, slots=True)
class Pen:
    """Draws on a canvas, in its pixels."""

    canvas: ImageDraw

    def fill(self, shape: Outline, at: complex, along: complex, width: float, colour: RGB) -> None:
        """Fill an outline from `at` to `at + along`; `width` is its half-width as a share of its length."""
        across = along * width
        points = [at + along * point.real + across * 1j * point.imag for point in shape]
        self.canvas.polygon([(point.real, point.imag) for point in points], fill=colour)

    def petal(self, shape: Outline, at: complex, along: complex, width: float, colours: tuple[RGB, RGB]) -> None:
        """Fill an outline in the first colour, with a rim in the second."""
        # Two fills are quicker than one with a wide line around it, for which Pillow makes a mask of the whole canvas.
        inside, rim = colours
        self.fill(shape, at, along, width, rim)
        self.fill(shape, at, along * 0.93, width * 0.82, inside)

    def disc(self, at: complex, radius: float, colour: RGB) -> None:
        """Fill a circle."""
        self.canvas.ellipse((at.real - radius, at.imag - radius, at.real + radius, at.imag + radius), fill=colour)

    def stroke(self, points: Sequence[complex], width: float, colour: RGB) -> None:
        """Draw a line through the points."""
        self.canvas.line([(point.real, point.imag) for point in points], fill=colour, width=max(1, round(width)))


def towards(angle: float, length: float = 1.0) -> complex:
    """Return the step of that length at that angle."""
    return cmath.rect(length, angle)
