"""The picture of a word alignment: drawn in three formats, safe from odd pieces, and refused by its ending."""

from pathlib import Path

import pytest
import torch
from PIL import Image

from heed.errors import MachineError, UsageError
from heed.inspection.alignment import draw_alignment
from heed.inspection.figures import LARGEST_SIDE
from heed.prediction.translator import Alignment


def alignment(source: tuple[str, ...], target: tuple[str, ...]) -> Alignment:
    weights_TS = torch.ones(len(target), len(source)).softmax(dim=1)
    return Alignment(source, target, weights_TS, "decoder.0.cross")


SMALL = alignment(("je", "▁suis", "là"), ("I", "am"))


@pytest.mark.parametrize(("name", "first"), [("a.png", b"\x89PNG"), ("a.svg", b"<?xml"), ("A.PDF", b"%PDF")])
def test_the_ending_chooses_the_format(name: str, first: bytes, tmp_path: Path) -> None:
    draw_alignment(SMALL, tmp_path / "new" / name)
    assert (tmp_path / "new" / name).read_bytes().startswith(first)


@pytest.mark.parametrize("name", ["a.jpg", "a", "a.png.txt"])
def test_another_ending_is_refused_with_those_that_are_drawn(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"Use one of \.png, \.svg, \.pdf"):
        draw_alignment(SMALL, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_pieces_that_mean_something_to_the_drawing_library_are_only_text(tmp_path: Path) -> None:
    odd = ("$x_", "$$", "\\frac{", "_^{}", "<b>&", "[END]", "")
    draw_alignment(alignment(odd, odd), tmp_path / "odd.svg")
    assert (tmp_path / "odd.svg").stat().st_size > 1000


def test_long_texts_are_drawn_within_bounds(tmp_path: Path) -> None:
    many = tuple(f"w{number}" for number in range(120))
    draw_alignment(alignment(many, many[:5]), tmp_path / "long.png")
    assert max(Image.open(tmp_path / "long.png").size) <= LARGEST_SIDE


def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(MachineError, match=r"a\.png cannot be written: .*Choose another place"):
        draw_alignment(SMALL, tmp_path / "file" / "a.png")
