"""`draw_scene`: parameters become a picture; equal parameters give equal bytes.

From back to front: a graded background, clutter out of focus, stems and leaves, blossoms, and a little noise. Flowers
are drawn several times as large as wanted and then made smaller, which smooths their edges.
"""

import hashlib
import math

from PIL import Image, ImageChops, ImageDraw

from heed.data.demos.flowers_colours import BACKGROUNDS, GREEN, PETALS, mixed, shaded
from heed.data.demos.flowers_heads import Head, draw_head
from heed.data.demos.flowers_parameters import Blossom, Clutter, FlowerScene
from heed.data.demos.flowers_pen import LEAF, Pen, between, towards
from heed.data.demos.grammar import Draws

SIDE = 96  # pixels
ENLARGED = 4  # times, while drawing
BEHIND = 128  # pixels a side of the background
BLURRED = 8  # times smaller is it made before it is enlarged, which puts the clutter out of focus


def draw_scene(scene: FlowerScene, side: int = SIDE) -> Image.Image:
    """Return the picture, `side` pixels wide and high."""
    large = side * ENLARGED
    behind = _behind(scene).resize((side, side), Image.Resampling.BICUBIC)
    image = behind.resize((large, large), Image.Resampling.NEAREST)  # it is smooth already, and this is quick
    pen = Pen(ImageDraw.Draw(image))
    for blossom in scene.blossoms:
        _draw_blossom(pen, blossom, large, scene.light)
    return _with_noise(image.reduce(ENLARGED), scene.noise, scene.seed)


def _behind(scene: FlowerScene) -> Image.Image:
    """Return the background and the clutter, small."""
    colour = shaded(BACKGROUNDS[scene.background], scene.light)
    image = Image.new("RGB", (2, 2))
    for corner in range(4):
        steps = math.cos(scene.grading - math.pi * (0.25, 0.75, -0.25, -0.75)[corner])
        image.putpixel((corner % 2, corner // 2), shaded(colour, 1 + 0.08 * steps))
    image = image.resize((BEHIND, BEHIND), Image.Resampling.BILINEAR)
    pen = Pen(ImageDraw.Draw(image))
    for clutter in scene.clutter:
        _draw_clutter(pen, clutter, scene)
    return image.reduce(BLURRED)


def _draw_clutter(pen: Pen, clutter: Clutter, scene: FlowerScene) -> None:
    at, radius = complex(clutter.x, clutter.y) * BEHIND, clutter.radius * BEHIND
    # Half lost in the haze: it shall not be taken for a flower of which a caption speaks.
    colour = GREEN if clutter.kind == "leaf" else PETALS[clutter.colour][0]
    colour = shaded(mixed(colour, BACKGROUNDS[scene.background], 0.45), scene.light)
    if clutter.kind == "leaf":
        pen.fill(LEAF, at, towards(clutter.turn, 2 * radius), 0.3, colour)
    else:
        pen.disc(at, radius, colour)


def _draw_blossom(pen: Pen, blossom: Blossom, side: int, light: float) -> None:
    head = Head(blossom, complex(blossom.x, blossom.y) * side, blossom.radius * side, light)
    draws = Draws(f"blossom {blossom.seed}")
    if blossom.stem:
        _draw_stem(pen, head, side, draws)
    draw_head(pen, head, draws)


def _draw_stem(pen: Pen, head: Head, side: int, draws: Draws) -> None:
    top, radius = head.foot, head.radius
    bottom = complex(head.centre.real + between(draws, -0.3, 0.3) * radius, side * 1.02)
    bend = (top + bottom) / 2 + between(draws, -0.15, 0.15) * radius
    points = [(1 - t) ** 2 * top + 2 * t * (1 - t) * bend + t * t * bottom for t in (0, 0.2, 0.4, 0.6, 0.8, 1)]
    pen.stroke(points, radius * 0.13, shaded(GREEN, head.light))
    for leaf in range(head.blossom.leaves):
        to_the_right = (leaf + head.blossom.seed) % 2
        angle = between(draws, -1.2, -0.5) if to_the_right else math.pi + between(draws, 0.5, 1.2)
        along = towards(angle, radius * between(draws, 0.9, 1.3))
        green = shaded(GREEN, head.light * between(draws, 0.9, 1.15))
        pen.petal(LEAF, points[3 + leaf % 2], along, 0.22, (green, shaded(green, 0.7)))


def _with_noise(image: Image.Image, levels: int, seed: int) -> Image.Image:
    width, height = image.size
    data = hashlib.shake_128(f"noise {seed}".encode()).digest(width * height)
    # Modulo leaves each of 0 … 2 · levels about as likely; `add` then moves them round nought.
    noise = Image.frombytes("L", (width, height), data).point([value % (2 * levels + 1) for value in range(256)])
    return ImageChops.add(image, Image.merge("RGB", (noise, noise, noise)), scale=1, offset=-levels)
