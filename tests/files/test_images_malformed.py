"""Malformed pictures of every kind: each is decoded wholly, or refused in one line that names it, in little memory."""

import io
import random
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from mutations import Mutation, attack, cut, flip, insert, noise, outcomes, peak_megabytes
from PIL import ExifTags, Image

from heed.errors import DataError
from heed.files.images import decode_image

SIGNATURE = b"\x89PNG\r\n\x1a\n"
EXTREMES = [0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF]


def saved(image: Image.Image, kind: str, **options: object) -> bytes:
    stream = io.BytesIO()
    image.save(stream, format=kind, **options)  # type: ignore[arg-type]
    return stream.getvalue()


def good() -> dict[str, bytes]:
    """Return small files of every format, and of the ways in which each may be packed."""
    colours = np.random.default_rng(1).integers(0, 256, (6, 5, 3), dtype=np.uint8)
    image = Image.fromarray(colours).resize((31, 23))
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 6
    deep = Image.fromarray(np.arange(0, 60_000, 100, dtype=np.uint16).reshape(20, 30))
    frames = {"save_all": True, "append_images": [image.rotate(90), image.rotate(180)]}
    return {
        "colours.png": saved(image, "PNG", exif=exif),
        "palette.png": saved(image.quantize(9), "PNG", transparency=bytes([0, 9, 200])),
        "deep.png": saved(deep, "PNG"),
        "moving.png": saved(image, "PNG", **frames),
        "plain.jpg": saved(image, "JPEG", exif=exif),
        "progressive.jpg": saved(image.convert("CMYK"), "JPEG", progressive=True),
        "lossy.webp": saved(image, "WEBP", exif=exif),
        "lossless.webp": saved(image.convert("RGBA"), "WEBP", lossless=True),
        "moving.webp": saved(image, "WEBP", **frames),
        "still.gif": saved(image, "GIF"),
        "moving.gif": saved(image, "GIF", **frames),
        "colours.bmp": saved(image, "BMP"),
        "palette.bmp": saved(image.quantize(16), "BMP"),
        "raw.tif": saved(image, "TIFF", exif=exif),
        "deep.tif": saved(deep.convert("F"), "TIFF"),
        "lzw.tif": saved(image, "TIFF", compression="tiff_lzw"),
        "deflate.tif": saved(image.convert("LA"), "TIFF", compression="tiff_adobe_deflate"),
        "jpeg.tif": saved(image, "TIFF", compression="jpeg"),
        "fax.tif": saved(image.convert("1"), "TIFF", compression="group4"),
    }


GOOD = good()


def extreme(data: bytes, dice: random.Random) -> bytes:
    """Put the smallest or largest numbers where the header has sizes and offsets."""
    kind = dice.choice(["<H", ">H", "<I", ">I", "B"])
    value = struct.pack(kind, dice.choice(EXTREMES) % 256 ** struct.calcsize(kind))
    at = dice.randrange(min(len(data), 200))
    return data[:at] + value + data[at + len(value) :]


def extreme_at_the_end(data: bytes, dice: random.Random) -> bytes:
    """Do the same behind the pixels, where TIFF keeps its tags and WebP its EXIF."""
    return extreme(data[::-1], dice)[::-1]


def splice(data: bytes, dice: random.Random) -> bytes:
    """Put the head of one picture on the body of another."""
    other = GOOD[dice.choice(sorted(GOOD))]
    return other[: dice.randrange(min(len(other), 100))] + data[dice.randrange(min(len(data), 100)) :]


def repeat(data: bytes, dice: random.Random) -> bytes:
    begin, end = sorted(dice.choices(range(len(data) + 1), k=2))
    return data[:end] + data[begin:end] * dice.randint(1, 20) + data[end:]


def right_sums(data: bytes, dice: random.Random) -> bytes:
    """Spoil a PNG and make its check sums right again, so that what is below them is reached."""
    spoilt = bytearray(dice.choice([flip, extreme])(data, dice))
    at = len(SIGNATURE)
    while data.startswith(SIGNATURE) and at + 12 <= len(spoilt):
        end = at + 8 + int.from_bytes(data[at : at + 4], "big")
        spoilt[end : end + 4] = struct.pack(">I", zlib.crc32(spoilt[at + 4 : end]))
        at = end + 4
    return bytes(spoilt)


ALL: list[Mutation] = [flip, cut, insert, noise, extreme, extreme_at_the_end, splice, repeat, right_sums]


def read(path: Path, dice: random.Random) -> str:
    try:
        image = decode_image(path.read_bytes(), str(path))
    except DataError as error:
        assert str(error).startswith(f"{path}: ")
        assert str(error).isprintable()  # so it is one line, too
        assert " at 0x" not in str(error)
        return "refused"
    assert image.mode == "RGB"
    assert len(image.tobytes()) == 3 * image.width * image.height > 0
    return "read"


@pytest.mark.parametrize("name", sorted(GOOD))
def test_the_pictures_that_are_spoilt_were_good(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(GOOD[name])
    assert read(tmp_path / name, random.Random(1)) == "read"


def test_a_few_hundred_malformed_pictures_are_decoded_or_refused(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], recwarn: pytest.WarningsRecorder
) -> None:
    seen = attack(tmp_path, GOOD, ALL, read, 400, seed=1)
    assert {outcome.split()[1] for outcome in seen} == {"read", "refused"}
    assert seen <= outcomes(GOOD)
    assert tuple(capfd.readouterr()) == ("", "")
    assert not recwarn.list


@pytest.mark.slow
def test_ten_thousand_malformed_pictures_are_decoded_or_refused_in_silence_and_little_memory(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], recwarn: pytest.WarningsRecorder
) -> None:
    before = peak_megabytes()
    assert attack(tmp_path, GOOD, ALL, read, 10_000, seed=2) == outcomes(GOOD)
    assert peak_megabytes() - before < 512
    assert tuple(capfd.readouterr()) == ("", "")
    assert not recwarn.list
