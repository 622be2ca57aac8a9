"""`demo:flowers`: pictures of daisies, dandelions, roses, sunflowers and tulips, drawn when they are wanted.

A label is the kind of flower; captions tell its colour, the background, and whether there are two. The colour of the
petals says nothing of the kind: there are purple dandelions here. What is unseen in the test split is the combination
of kind, colour and background (see `flowers_scenes`).
"""

from dataclasses import dataclass
from functools import cache

from PIL.Image import Image

from heed.data.demos.flowers_captions import captions
from heed.data.demos.flowers_parameters import FlowerScene
from heed.data.demos.flowers_picture import draw_scene
from heed.data.demos.flowers_scenes import SIZES, scenes
from heed.data.demos.grammar import Split
from heed.data.records import CaptionedImage, LabelledImage

LabelledParts = tuple[tuple[LabelledImage, ...], tuple[LabelledImage, ...], tuple[LabelledImage, ...]]
CaptionedParts = tuple[tuple[CaptionedImage, ...], tuple[CaptionedImage, ...], tuple[CaptionedImage, ...]]


@dataclass(frozen=True, slots=True)
class FlowerDrawing:
    """A picture of the demo: its number among all of them, and what it is drawn from."""

    number: int
    scene: FlowerScene

    @property
    def name(self) -> str:
        """Return what messages and reports call it."""
        return f"demo:flowers/{self.number:05d}"

    def draw(self) -> Image:
        """Return the picture, the same each time."""
        return draw_scene(self.scene)


@cache
def labelled_flowers() -> LabelledParts:
    """Return train, valid and test, labelled with the kind of flower."""
    return _labelled("train"), _labelled("valid"), _labelled("test")


@cache
def captioned_flowers() -> CaptionedParts:
    """Return the same pictures with captions, of which the first is canonical."""
    return _captioned("train"), _captioned("valid"), _captioned("test")


def _labelled(split: Split) -> tuple[LabelledImage, ...]:
    return tuple(
        LabelledImage(drawing, drawing.scene.kind, f"demo:flowers:{split}:{line}")
        for line, drawing in enumerate(_drawings(split), start=1)
    )


def _captioned(split: Split) -> tuple[CaptionedImage, ...]:
    return tuple(
        CaptionedImage(drawing, captions(drawing.scene), f"demo:flowers:{split}:{line}")
        for line, drawing in enumerate(_drawings(split), start=1)
    )


@cache
def _drawings(split: Split) -> tuple[FlowerDrawing, ...]:
    splits = list(SIZES)
    before = sum(SIZES[earlier] for earlier in splits[: splits.index(split)])
    return tuple(FlowerDrawing(number, scene) for number, scene in enumerate(scenes(split), start=before))
