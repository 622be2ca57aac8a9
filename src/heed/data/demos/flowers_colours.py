"""The colours of drawn flowers: what each name looks like, in light and in shade."""

from heed.data.demos.flowers_parameters import Background, Colour

RGB = tuple[int, int, int]

# In full light, and in deep shade: yellow that only grew darker would turn to olive, and orange to brown.
PETALS: dict[Colour, tuple[RGB, RGB]] = {
    "red": ((214, 28, 38), (104, 0, 22)),
    "yellow": ((250, 218, 40), (178, 108, 0)),
    "white": ((250, 250, 246), (140, 146, 160)),
    "pink": ((248, 150, 192), (178, 52, 112)),
    "orange": ((246, 132, 24), (176, 62, 0)),
    "purple": ((144, 68, 190), (60, 14, 96)),
}
BACKGROUNDS: dict[Background, RGB] = {
    "blue": (76, 128, 204),
    "green": (118, 178, 104),
    "grey": (138, 138, 140),
    "brown": (122, 82, 50),
    "black": (26, 26, 30),
    "white": (236, 236, 234),
}
GREEN: RGB = (56, 118, 48)  # of stems and leaves: darker than the green background
GOLD: RGB = (216, 158, 34)  # the middle of a daisy: darker than yellow petals
BARK: RGB = (74, 44, 22)  # the middle of a sunflower


def shaded(colour: RGB, light: float) -> RGB:
    """Return the colour in less light than 1, or in more."""
    red, green, blue = colour
    return min(255, int(red * light)), min(255, int(green * light)), min(255, int(blue * light))


def mixed(colour: RGB, other: RGB, share: float) -> RGB:
    """Return the colour with so much of the other in it."""
    red, green, blue = (int(one + (two - one) * share) for one, two in zip(colour, other, strict=True))
    return red, green, blue
