"""Draw `flowers.png`, a row of `demo:flowers` for each kind: python docs/images/draw_flowers.py"""

from dataclasses import replace
from pathlib import Path

from PIL import Image

from heed.data.demos.flowers import FlowerDrawing, labelled_flowers
from heed.data.demos.flowers_parameters import KINDS
from heed.data.demos.flowers_picture import SIDE, draw_scene

COLUMNS = 7
FIRST = 40  # of the valid split; soon after it dandelions show both their forms
GAP = 4  # pixels
STEP = 4  # from one tone to the next: nobody sees it, and the file is a quarter smaller


def sheet() -> Image.Image:
    """Return pictures of the valid split, in which the five kinds take turns."""
    step = SIDE + GAP
    drawn = Image.new("RGB", (COLUMNS * step - GAP, len(KINDS) * step - GAP), "white")
    records = labelled_flowers()[1][FIRST : FIRST + COLUMNS * len(KINDS)]
    for number, record in enumerate(records):
        assert isinstance(record.source, FlowerDrawing)  # as all of this demo are
        column, row = divmod(number, len(KINDS))
        # Without noise, which no format makes smaller.
        drawn.paste(draw_scene(replace(record.source.scene, noise=0)), (column * step, row * step))
    return drawn


if __name__ == "__main__":
    path = Path(__file__).parent / "flowers.png"
    sheet().point([tone // STEP * STEP for tone in range(256)] * 3).save(path, optimize=True)
