"""What can be drawn, as plain values: heat maps, curves, trees, boxes with words in them, pictures that are cut."""

from dataclasses import dataclass
from typing import Literal

Numbers = tuple[tuple[float | None, ...], ...]  # None: hidden, drawn crossed out


@dataclass(frozen=True)
class HeatMap:
    """A matrix in shades of grey, darker is more; small ones have their numbers written in."""

    title: str
    values: Numbers
    rows: tuple[str, ...]  # names; none: only every few rows are numbered
    columns: tuple[str, ...]
    decimals: int = 2
    marked: tuple[tuple[int, int], ...] = ()  # cells with a frame around them
    across: str = ""  # what the columns are
    kind: Literal["heat map"] = "heat map"


@dataclass(frozen=True)
class Curve:
    """A line through points."""

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]


@dataclass(frozen=True)
class Curves:
    """Lines over one axis, told apart by their dashes and marks."""

    title: str
    across: str
    up: str
    curves: tuple[Curve, ...]
    logarithmic: bool = False  # of the upward axis
    kind: Literal["curves"] = "curves"


BranchState = Literal["best", "kept", "ended", "dropped"]


@dataclass(frozen=True)
class Branch:
    """A place of a tree: what stands in it, and where it hangs."""

    label: str
    step: int  # from 1
    parent: int | None  # position among the branches; None: the root
    state: BranchState


@dataclass(frozen=True)
class Tree:
    """Branches that grow from the left to the right, those that were dropped pale."""

    title: str
    branches: tuple[Branch, ...]
    kind: Literal["tree"] = "tree"


@dataclass(frozen=True)
class Boxes:
    """Rows of boxes with words in them; shades from 0 (white) to 1."""

    title: str
    rows: tuple[str, ...]
    words: tuple[tuple[str, ...], ...]
    shades: tuple[tuple[float, ...], ...]
    kind: Literal["boxes"] = "boxes"


@dataclass(frozen=True)
class Picture:
    """Pixels by row, column and red, green, blue from 0 to 255, cut into numbered squares of `cut` pixels."""

    title: str
    pixels: tuple[tuple[tuple[int, ...], ...], ...]
    cut: int
    kind: Literal["picture"] = "picture"


Panel = HeatMap | Curves | Tree | Boxes | Picture
