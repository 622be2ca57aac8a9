"""Pictures of every colour kind and every direction become the same RGB; broken and oversized ones one sentence."""

import io
import os
import struct
import subprocess
import sys
import threading
import warnings
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from PIL import ExifTags, Image, ImageFile

from heed.errors import DataError
from heed.files.images import LARGEST_FILE, MOST_PIXELS, decode_image, read_image
from heed.files.quiet_pillow import quiet_pillow

GREYS = np.array([[0, 51, 102, 153, 255], [255, 0, 17, 34, 68], [1, 2, 3, 254, 128]], dtype=np.uint8)
COLOURS = np.stack([GREYS, GREYS[::-1], 255 - GREYS], axis=2)  # 3 rows, 5 columns


def saved(image: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    stream = io.BytesIO()
    image.save(stream, format=kind, **options)  # type: ignore[arg-type]
    return stream.getvalue()


def decoded(data: bytes) -> np.ndarray:
    image = decode_image(data, "picture")
    assert image.mode == "RGB"
    return np.asarray(image)


def grey(values: np.ndarray) -> np.ndarray:
    return np.repeat(values[:, :, None], 3, axis=2)


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(width: int, height: int, packed: bytes, *more: bytes, bits: int = 8, colour: int = 0) -> bytes:
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(more) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")


def bomb(side: int) -> bytes:
    """Return a true PNG of black bits; as RGB it takes 4 bytes a pixel."""
    packer = zlib.compressobj(9)
    rows = b"".join(packer.compress(bytes(side // 8 + 1)) for _ in range(side))
    return png(side, side, rows + packer.flush(), bits=1)


@pytest.mark.parametrize("kind", ["PNG", "BMP", "TIFF", "WEBP"])
def test_colours_come_back_as_they_were_saved(kind: str) -> None:
    options = {"lossless": True, "exact": True} if kind == "WEBP" else {}
    assert np.array_equal(decoded(saved(Image.fromarray(COLOURS), kind, **options)), COLOURS)


@pytest.mark.parametrize("kind", ["PNG", "GIF", "BMP", "TIFF"])
def test_greys_and_palettes_become_rgb(kind: str) -> None:
    assert np.array_equal(decoded(saved(Image.fromarray(GREYS), kind)), grey(GREYS))
    palette = Image.fromarray(GREYS % 3).convert("P")
    palette.putpalette([10, 20, 30, 250, 0, 1, 7, 200, 90])
    wanted = np.array([[10, 20, 30], [250, 0, 1], [7, 200, 90]], dtype=np.uint8)[GREYS % 3]
    assert np.array_equal(decoded(saved(palette, kind)), wanted)


def test_jpeg_is_read_plain_progressive_grey_and_in_four_inks() -> None:
    flat = Image.new("RGB", (24, 16), (200, 100, 50))
    for data in (saved(flat, "JPEG", quality=95), saved(flat, "JPEG", quality=95, progressive=True)):
        assert np.abs(decoded(data).astype(int) - (200, 100, 50)).max() <= 2
    assert np.abs(decoded(saved(flat.convert("L"), "JPEG")).astype(int) - 124).max() <= 2
    inks = Image.new("CMYK", (24, 16), (0, 255, 255, 0))
    assert np.abs(decoded(saved(inks, "JPEG")).astype(int) - (255, 0, 0)).max() <= 2


def test_one_bit_is_black_and_white() -> None:
    assert np.array_equal(decoded(saved(Image.fromarray(GREYS > 100))), grey((GREYS > 100) * np.uint8(255)))


def test_what_is_transparent_is_white_and_what_is_half_so_is_between() -> None:
    alpha = np.array([[0, 255, 128, 255, 0]] * 3, dtype=np.uint8)
    share = alpha[:, :, None] / 255
    wanted = COLOURS * share + 255 * (1 - share)
    rgba = Image.fromarray(np.dstack([COLOURS, alpha]))
    for kind in ("PNG", "TIFF"):
        assert np.abs(decoded(saved(rgba, kind)) - wanted).max() <= 1
    two = Image.merge("LA", [Image.fromarray(GREYS), Image.fromarray(alpha)])
    assert np.abs(decoded(saved(two)) - (grey(GREYS) * share + 255 * (1 - share))).max() <= 1


def test_a_transparent_colour_of_a_palette_or_of_greys_is_white() -> None:
    palette = Image.fromarray(GREYS % 3).convert("P")
    palette.putpalette([10, 20, 30, 250, 0, 1, 7, 200, 90])
    wanted = np.array([[10, 20, 30], [255, 255, 255], [7, 200, 90]], dtype=np.uint8)[GREYS % 3]
    for kind in ("PNG", "GIF"):
        assert np.array_equal(decoded(saved(palette, kind, transparency=1)), wanted)
    half = saved(palette, "PNG", transparency=bytes([255, 255, 51]))
    assert np.abs(decoded(half)[GREYS % 3 == 2] - np.array([205.4, 244, 222])).max() <= 1
    assert np.array_equal(decoded(saved(Image.fromarray(GREYS), transparency=17))[1, 2], [255, 255, 255])


@pytest.mark.parametrize("mode", ["I;16", "I", "F"])
def test_sixteen_bits_are_scaled_and_not_cut_off(mode: str) -> None:
    image = Image.fromarray(GREYS.astype(np.uint16) * 257)
    kind = "PNG" if mode == "I;16" else "TIFF"
    data = saved(image if mode == "I;16" else image.convert(mode), kind)
    assert Image.open(io.BytesIO(data)).mode == mode
    assert np.array_equal(decoded(data), grey(GREYS))


def test_the_nearest_of_eight_bits_is_taken() -> None:
    deep = np.array([[128, 129, 65_406, 65_407, 32_767]], dtype=np.uint16)
    assert decoded(saved(Image.fromarray(deep)))[0, :, 0].tolist() == [0, 1, 254, 255, 127]


@pytest.mark.parametrize("white", [1, 255])
def test_floats_are_scaled_by_the_range_that_holds_them(white: int) -> None:
    image = Image.fromarray(GREYS.astype(np.float32) / 255 * white)
    assert np.array_equal(decoded(saved(image, "TIFF")), grey(GREYS))


@pytest.mark.parametrize(("lowest", "highest"), [(-3, 70), (0, 70_000)])
def test_numbers_that_are_no_brightness_are_refused_with_their_range(lowest: int, highest: int) -> None:
    image = Image.fromarray(np.array([[lowest, highest]], dtype=np.int32))
    with pytest.raises(DataError, match=rf"picture: is no picture .* go from {lowest} to {highest:g}, not from 0"):
        decode_image(saved(image, "TIFF"), "picture")


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "TIFF"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_picture_is_turned_upright_from_all_eight_directions(orientation: int, kind: str) -> None:
    upright = np.zeros((16, 24, 3), dtype=np.uint8)
    upright[:8, :12], upright[8:, :12], upright[:8, 12:] = (255, 0, 0), (0, 255, 0), (0, 0, 255)
    undo: dict[int, Callable[[np.ndarray], np.ndarray]] = {
        1: lambda x: x,
        2: lambda x: x[:, ::-1],
        3: lambda x: x[::-1, ::-1],
        4: lambda x: x[::-1],
        5: lambda x: x.transpose(1, 0, 2),
        6: lambda x: np.rot90(x),
        7: lambda x: x.transpose(1, 0, 2)[::-1, ::-1],
        8: lambda x: np.rot90(x, -1),
    }
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    lying = Image.fromarray(np.ascontiguousarray(undo[orientation](upright)))
    found = decoded(saved(lying, kind, exif=exif, **({"quality": 100} if kind in ("JPEG", "WEBP") else {})))
    assert found.shape == upright.shape
    for row, column in [(3, 5), (3, 18), (12, 5), (12, 18)]:  # the middle of each quarter
        assert np.abs(found[row, column].astype(int) - upright[row, column]).max() < 40


@pytest.mark.parametrize("kind", ["GIF", "PNG", "WEBP", "TIFF"])
def test_of_an_animation_the_first_frame_is_taken(kind: str) -> None:
    frames = [Image.new("RGB", (6, 4), colour) for colour in ((250, 0, 0), (0, 250, 0))]
    options = {"lossless": True} if kind == "WEBP" else {}
    data = saved(frames[0], kind, save_all=True, append_images=frames[1:], **options)
    assert np.array_equal(decoded(data)[0, 0], [250, 0, 0])


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF"])
def test_a_file_that_was_cut_off_is_refused_wherever_it_was_cut(kind: str) -> None:
    whole = saved(Image.effect_noise((40, 30), 60).convert("RGB"), kind)
    for share in (0.02, 0.3, 0.5, 0.7, 0.9, 0.98):
        with pytest.raises(DataError, match=r"picture: is no picture that can be read \(.+\)\. Leave it out, or save"):
            decode_image(whole[: int(len(whole) * share)], "picture")


@pytest.mark.parametrize("data", [b"", b"GIF89a", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"<svg/>", b"%!PS-Adobe-3.0"])
def test_what_is_no_picture_is_refused_without_an_address(data: bytes) -> None:
    with pytest.raises(DataError, match=r"^name\.png: is no picture that can be read \([^<]+\)\. Leave") as caught:
        decode_image(data, "name.png")
    assert "0x" not in str(caught.value)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (OSError("no <_io.BytesIO object at 0x7f1234567890>\x1b here\nnor there."), "no  here"),
        (ValueError(), "it is damaged"),
        (SyntaxError("not a PNG file"), "not a PNG file"),
        (struct.error("needs 4 bytes"), "it is damaged: error needs 4 bytes"),
        (ZeroDivisionError("by zero"), "it is damaged: ZeroDivisionError by zero"),
        (RecursionError(), "it is damaged: RecursionError"),
        (KeyError(17), "it is damaged: KeyError 17"),
        (MemoryError(), "it takes more memory than there is"),
    ],
)
def test_whatever_pillow_raises_becomes_one_sentence(
    error: Exception, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object, **options: object) -> None:
        raise error

    monkeypatch.setattr("heed.files.images.Image.open", fail)
    with pytest.raises(DataError) as caught:
        decode_image(b"", "a.png")
    assert str(caught.value) == (
        f"a.png: is no picture that can be read ({reason}). Leave it out, or save it again as PNG or JPEG."
    )


def test_a_bomb_in_the_words_or_the_profile_of_a_picture_is_refused() -> None:
    words = zlib.compress(bytes(20_000_000), 1)
    for hidden in (
        chunk(b"zTXt", b"a\0\0" + words),
        chunk(b"iTXt", b"a\0\1\0\0\0" + words),
        chunk(b"iCCP", b"a\0\0" + words),
    ):
        with pytest.raises(DataError, match=r"picture: is no picture .*too large"):
            decode_image(png(1, 1, zlib.compress(b"\0\7"), hidden), "picture")
    assert decoded(png(1, 1, zlib.compress(b"\0\7"))).tolist() == [[[7, 7, 7]]]


@pytest.mark.parametrize(
    ("side", "numbers"), [(5001, r"5,001 x 5,001 = 25,010,001"), (14_000, "more than 178,956,970")]
)
def test_too_many_pixels_are_refused_with_the_numbers(side: int, numbers: str) -> None:
    with pytest.raises(
        DataError, match=rf"picture: has {numbers} pixels; at most 25,000,000 are decoded\. Leave it out"
    ):
        decode_image(bomb(side), "picture")
    with pytest.raises(DataError, match="has 5 x 3 = 15 pixels; at most 14"):
        decode_image(saved(Image.fromarray(COLOURS)), "picture", most_pixels=14)
    decode_image(saved(Image.fromarray(COLOURS)), "picture", most_pixels=15)


MEASURED = """
import io, sys, time
from pathlib import Path
from heed.files.images import read_image
from heed.errors import DataError

def peak():
    return int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) / 1024

read_image(Path(sys.argv[1]))  # Pillow loads its readers at the first picture
before, begin = peak(), time.process_time()
try:
    read_image(Path(sys.argv[2]))
except DataError as error:
    print(error, peak() - before, time.process_time() - begin, sep="\\n")
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_a_small_file_of_four_hundred_megabytes_is_refused_at_once_and_without_the_memory(tmp_path: Path) -> None:
    small, large = tmp_path / "small.png", tmp_path / "large.png"
    small.write_bytes(saved(Image.fromarray(COLOURS)))
    large.write_bytes(bomb(10_000))
    assert large.stat().st_size < 16_000
    child = subprocess.run([sys.executable, "-c", MEASURED, small, large], capture_output=True, text=True, check=True)
    message, megabytes, seconds = child.stdout.splitlines()
    assert "10,000 x 10,000 = 100,000,000 pixels" in message
    assert float(megabytes) < 5
    assert float(seconds) < 0.2
    assert child.stderr == ""


def test_a_jpeg_that_would_be_decoded_over_and_over_is_refused() -> None:
    whole = saved(Image.effect_noise((40, 30), 60), "JPEG", progressive=True)
    scan = whole[whole.rindex(b"\xff\xda") : -2]
    decode_image(whole[:-2] + scan * 20 + whole[-2:], "picture")
    with pytest.raises(DataError, match="picture: is a JPEG of more than 100 sections"):
        decode_image(whole[:-2] + scan * 101 + whole[-2:], "picture")
    decode_image(whole + b"\0\0" + scan * 200, "picture")  # what comes after the end, such as a film, is not decoded


def test_scans_in_what_a_jpeg_carries_along_do_not_count() -> None:
    thumbnails = b"\xff\xef" + struct.pack(">H", 1002) + b"\xff\xda" * 500
    whole = saved(Image.new("L", (8, 8), 90), "JPEG")
    assert np.abs(decoded(whole[:2] + thumbnails * 3 + whole[2:]).astype(int) - 90).max() <= 2


def test_a_file_too_large_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.png"
    with path.open("wb") as stream:
        stream.truncate(LARGEST_FILE + 1)
    with pytest.raises(
        DataError, match=r"large\.png: has 64,000,001 bytes; at most 64,000,000 are read\. Leave it out"
    ):
        read_image(path)


def test_what_is_no_file_is_refused_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "rose.png").write_bytes(saved(Image.fromarray(COLOURS)))
    assert np.array_equal(np.asarray(read_image(tmp_path / "rose.png")), COLOURS)
    with pytest.raises(DataError, match=r"rosa\.png does not exist\. Did you mean .*rose\.png"):
        read_image(tmp_path / "rosa.png")
    with pytest.raises(DataError, match="is a folder, not a file"):
        read_image(tmp_path)
    with pytest.raises(DataError, match=r"'a\\x00b' cannot be a file name"):
        read_image(Path("a\0b"))
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(DataError, match="pipe: is a pipe or a device"):
        read_image(tmp_path / "pipe")


def noisy_pictures() -> list[bytes]:
    """Return files of which Pillow warns, logs an error, and lets libtiff write to the terminal."""
    lying = bytearray(saved(Image.fromarray(COLOURS), "TIFF"))
    samples = lying.index(struct.pack("<HHI", 277, 3, 1))
    lying[samples + 8 : samples + 10] = b"\xff\x00"
    packed = bytearray(saved(Image.fromarray(COLOURS), "TIFF", compression="tiff_lzw"))
    packed[8:12] = bytes(4)
    return [saved(Image.fromarray(COLOURS), "TIFF")[:-9], bytes(lying), bytes(packed), bomb(10_000)]


SILENT = """
import sys
import threading
from pathlib import Path
from heed.files.images import read_image
from heed.errors import DataError

for name in sys.argv[1:]:
    try:
        read_image(Path(name))
    except DataError as error:
        print(error)
sys.stderr.write("heard")
"""


def test_nothing_but_the_error_is_said_of_a_broken_picture(tmp_path: Path) -> None:
    paths = [tmp_path / str(number) for number in range(4)]
    for path, data in zip(paths, noisy_pictures(), strict=True):
        path.write_bytes(data)
    child = subprocess.run([sys.executable, "-c", SILENT, *paths], capture_output=True, text=True, check=True)
    assert len(child.stdout.splitlines()) == 4
    assert child.stderr == "heard"


def test_pillow_itself_is_left_as_it_was() -> None:
    before = (ImageFile.LOAD_TRUNCATED_IMAGES, Image.MAX_IMAGE_PIXELS, list(warnings.filters))
    for data in noisy_pictures():
        with pytest.raises(DataError):
            decode_image(data, "picture")
    assert (ImageFile.LOAD_TRUNCATED_IMAGES, Image.MAX_IMAGE_PIXELS, list(warnings.filters)) == before
    assert before[0] is False
    assert Image.MAX_IMAGE_PIXELS is not None and Image.MAX_IMAGE_PIXELS > MOST_PIXELS


def test_threads_decode_side_by_side_and_leave_the_warnings_as_they_were() -> None:
    """Each thread waits for the other inside the quiet part, which a lock around all of it would not let it reach."""
    before = list(warnings.filters)
    both = threading.Barrier(2, timeout=20)

    def inside() -> None:
        with quiet_pillow():
            both.wait()
            warnings.warn("damaged", stacklevel=1)
            both.wait()

    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(inside), pool.submit(inside)]:
            done.result()
    assert list(warnings.filters) == before
