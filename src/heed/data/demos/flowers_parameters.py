"""What a drawn picture of flowers is made of: plain numbers and names, from which it is drawn and told in words.

Lengths and places are shares of the picture's side, from the upper left corner; angles are in radians, clockwise.
"""

from dataclasses import dataclass
from typing import Literal, get_args

Kind = Literal["daisy", "dandelion", "rose", "sunflower", "tulip"]
Colour = Literal["red", "yellow", "white", "pink", "orange", "purple"]
Background = Literal["blue", "green", "grey", "brown", "black", "white"]
Size = Literal["small", "medium", "large"]

KINDS: tuple[Kind, ...] = get_args(Kind)
COLOURS: tuple[Colour, ...] = get_args(Colour)
BACKGROUNDS: tuple[Background, ...] = get_args(Background)

# Shortest and longest radius of a blossom; with gaps between, so that anyone can tell which it is.
RADII: dict[Size, tuple[float, float]] = {"small": (0.18, 0.205), "medium": (0.25, 0.3), "large": (0.37, 0.44)}


@dataclass(frozen=True, slots=True)
class Blossom:
    """One flower in focus, with what it stands on."""

    kind: Kind
    colour: Colour
    petals: int  # a daisy has many, a tulip at most five; of a dandelion it is the number of rays
    radius: float
    x: float
    y: float
    turn: float  # of the head; a tulip leans by as much
    stem: bool
    leaves: int  # on the stem, where there is one
    seed: int  # of small irregularities

    @property
    def size(self) -> Size:
        """Return the word for its radius."""
        for size, (_, longest) in RADII.items():
            if self.radius <= longest:
                return size
        return "large"


@dataclass(frozen=True, slots=True)
class Clutter:
    """Something behind the flowers and out of focus, of which no caption speaks."""

    kind: Literal["leaf", "blossom"]
    colour: Colour  # of a blossom; a leaf is green
    radius: float
    x: float
    y: float
    turn: float


@dataclass(frozen=True, slots=True)
class FlowerScene:
    """A whole picture: one flower, or two of one kind and colour, before a background."""

    background: Background
    blossoms: tuple[Blossom, ...]
    clutter: tuple[Clutter, ...]
    light: float  # 1 is plain daylight
    grading: float  # the direction in which the background grows darker
    noise: int  # levels of 256, up and down
    seed: int  # of the noise

    @property
    def kind(self) -> Kind:
        """Return the kind of its flowers."""
        return self.blossoms[0].kind

    @property
    def colour(self) -> Colour:
        """Return the colour of its petals."""
        return self.blossoms[0].colour
