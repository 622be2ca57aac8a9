"""Small folders of pictures for tests: each class is a colour with some noise in it."""

from pathlib import Path

import numpy
from PIL import Image

COLOURS = {"blue": (40, 60, 200), "green": (40, 180, 60), "red": (210, 40, 50)}


def noisy_picture(colour: tuple[int, int, int], seed: int, width: int = 21, height: int = 17) -> Image.Image:
    """Return a picture of one colour with noise, the same for the same seed."""
    generator = numpy.random.default_rng(seed)
    noise = generator.integers(-40, 40, size=(height, width, 3))
    return Image.fromarray((numpy.array(colour) + noise).clip(0, 255).astype(numpy.uint8))


def write_pictures(folder: Path, each: int = 12) -> Path:
    """Write so many pictures of each colour into a folder of classes, and return it."""
    for number, (name, colour) in enumerate(COLOURS.items()):
        (folder / name).mkdir(parents=True)
        for picture in range(each):
            noisy_picture(colour, 1000 * number + picture).save(folder / name / f"{picture:03}.png")
    return folder


def write_captions(folder: Path, each: int = 12) -> Path:
    """Write so many pictures of each colour with one to three captions, and return the table of them."""
    write_pictures(folder, each)
    said = ("a {} picture", "all of it is {}", "{}")
    rows = [
        f"{name}/{picture:03}.png,{caption.format(name)}\n"
        for name in COLOURS
        for picture in range(each)
        for caption in said[: picture % 3 + 1]
    ]
    (folder / "captions.csv").write_text("path,caption\n" + "".join(rows))
    return folder / "captions.csv"


def break_one(path: str = "pictures/red/000.png") -> str:
    """Leave only the beginning of a picture."""
    Path(path).write_bytes(Path(path).read_bytes()[:200])
    return path
