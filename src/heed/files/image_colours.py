"""`upright_rgb`: a decoded picture of any colour kind, as RGB of 8 bits, on white where it is transparent, upright."""

from PIL import ExifTags, Image

SIXTEEN_BITS = 65_535
_DEEP = ("I;16", "I;16L", "I;16B", "I;16N", "I", "F")  # Pillow's names of one channel of more than 8 bits
_FLOAT_RANGES = (1, 255, SIXTEEN_BITS)  # what white is in pictures of floats; no file says which

# How to turn a picture that was taken with the camera held so (Exif 2.3, tag 0x0112).
_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


def upright_rgb(image: Image.Image) -> Image.Image:
    """Return the picture as RGB, turned as its EXIF says; raise ValueError for numbers that are no brightness."""
    turn = _TURNS.get(image.getexif().get(ExifTags.Base.Orientation, 1))
    rgb = _rgb(image)
    return rgb if turn is None else rgb.transpose(turn)


def _rgb(image: Image.Image) -> Image.Image:
    if image.mode in _DEEP:
        return _eight_bits(image).convert("RGB")
    if image.has_transparency_data:
        return _on_white(image.convert("RGBA"))
    return image.convert("RGB")


def _on_white(rgba: Image.Image) -> Image.Image:
    canvas = Image.new("RGB", rgba.size, "white")
    canvas.paste(rgba, mask=rgba.getchannel("A"))
    return canvas


def _eight_bits(image: Image.Image) -> Image.Image:
    """Return a deep picture as greys of 8 bits; Pillow's own conversion would make all above 255 white."""
    scale = 255 / _white(image)
    return image.convert("F").point(lambda value: value * scale + 0.5).convert("L")  # which cuts off the fraction


def _white(image: Image.Image) -> int:
    """Return the number that stands for white."""
    lowest, highest = image.getextrema()
    assert isinstance(lowest, int | float) and isinstance(highest, int | float)  # one channel
    for white in _FLOAT_RANGES if image.mode == "F" else (SIXTEEN_BITS,):
        if lowest >= 0 and highest <= white:
            return white
    raise ValueError(f"its values go from {lowest:g} to {highest:g}, not from 0 to {SIXTEEN_BITS}")
