"""A picture cut into patches, each projected to a vector, with [CLS] and positions: what ViT reads."""

from dataclasses import dataclass

import torch
from PIL.Image import Image
from torch import Tensor

from heed.data.demos.flowers_picture import draw_scene
from heed.data.demos.flowers_scenes import scenes
from heed.data.squares import squared
from heed.errors import DataError
from heed.inspection.given import Given
from heed.inspection.panels import HeatMap, Picture
from heed.inspection.shown import Note, Shown, Table, numbered, numbers_of, table_of
from heed.layers.image_embedding import ImageEmbedding
from heed.layers.patches import PatchEmbedding, to_patches
from heed.layers.positions import AddLearned
from heed.models.vit import PRESETS
from heed.tasks.image import ColourSettings, Squares, to_floats

SIDE, PATCH = 64, 16  # deck 1 has patches of 16 too, and pictures of 224
WIDTH = 8  # of the vectors; deck 1 has 768
SMALLEST = 16  # pixels of a side that is worth cutting
WRITTEN = 5  # vectors that the terminal shows
SEED = 0


@dataclass(frozen=True)
class Cut:
    """A picture on its way into ViT."""

    square: Squares  # (1, side, side, 3)
    patches_PX: Tensor  # the pixels of each patch
    projected_PD: Tensor
    vectors_TD: Tensor  # with [CLS] and positions


def show_patches(given: Given) -> Shown:
    """Return the picture's patches and the vectors that ViT makes of them."""
    image = given.image if given.image is not None else draw_scene(scenes("test")[0])
    cut = cut_up(image)
    count, numbers = len(cut.patches_PX), numbered("", WIDTH)
    names = numbered("patch ", count)
    return Shown(
        topic="patches",
        title="A picture as a sequence of patches",
        shows=f"{SIDE} x {SIDE} pixels become {count} patches of {PATCH} x {PATCH}, read row by row like words.",
        parts=(
            _sizes(),
            _patches(cut, names),
            table_of(
                f"What the encoder reads: [CLS] first, positions added (the first {WRITTEN} of {count + 1})",
                cut.vectors_TD[:WRITTEN],
                ("[CLS]", *names)[:WRITTEN],
                numbers,
                3,
            ),
            Note("The picture", _origin(given, image)),
        ),
        corrections=(),
        panels=(
            Picture("the picture, cut", _pixels(cut.square), PATCH),
            HeatMap("a vector for [CLS] and for each patch", numbers_of(cut.vectors_TD), ("[CLS]", *names), numbers),
        ),
    )


def cut_up(image: Image) -> Cut:
    """Return the picture cut and projected, as ViT's own layers do it."""
    if min(image.size) < SMALLEST:
        raise DataError(
            f"The picture is {image.size[0]} x {image.size[1]} pixels. Give one of at least {SMALLEST} x {SMALLEST}."
        )
    square = squared(image, SIDE, "crop")[None]
    images = ColourSettings().scaled(to_floats(square, [0]))
    with torch.random.fork_rng():
        torch.manual_seed(SEED)
        stem = PatchEmbedding(PATCH, WIDTH)
        embedding = ImageEmbedding(
            SIDE, WIDTH, stem, AddLearned((SIDE // PATCH) ** 2 + 1, WIDTH), first=True, registers=0
        )
    with torch.inference_mode():
        return Cut(square, to_patches(images, PATCH)[0], stem(images)[0], embedding(images)[0])


def _sizes() -> Table:
    published = PRESETS["vit-base"]
    rows = []
    for side, patch, width in ((SIDE, PATCH, WIDTH), (published.image, published.patch, published.width)):
        patches = (side // patch) ** 2
        rows.append((side, patch, patches, 3 * patch * patch, patches + 1, width))
    columns = ("side", "patch", "patches", "numbers in a patch", "vectors with [CLS]", "width")
    return Table("Sizes", columns, ("here", "deck 1's vit-base"), tuple(rows))


def _patches(cut: Cut, names: tuple[str, ...]) -> Table:
    """Return the mean colour of each patch, from 0 to 255 as pixels have it, and what the projection makes of it."""
    pixels_PCX = cut.patches_PX.view(len(names), 3, -1)
    means_PC = (pixels_PCX.mean(dim=2) * 0.5 + 0.5) * 255
    cells = tuple(
        (*(round(mean) for mean in means), *projected)
        for means, projected in zip(means_PC.tolist(), cut.projected_PD.tolist(), strict=True)
    )
    heading = f"Each patch: its mean colour, and its {cut.patches_PX.shape[1]} numbers projected to {WIDTH} (untrained)"
    return Table(heading, ("red", "green", "blue", *numbered("", WIDTH)), names, cells, decimals=3)


def _origin(given: Given, image: Image) -> str:
    width, height = image.size
    whose = "Yours" if given.image is not None else "The first of demo:flowers' test pictures"
    return (
        f"{whose}, {width} x {height} pixels: the middle square, made {SIDE} x {SIDE}. Numbers become (x - 0.5) / 0.5."
    )


def _pixels(square: Squares) -> tuple[tuple[tuple[int, ...], ...], ...]:
    return tuple(tuple(tuple(pixel) for pixel in row) for row in square[0].tolist())
