"""Patches: a picture is cut without losing a pixel, and projected patch by patch."""

import numpy
import pytest
import torch
from PIL import Image

from heed.errors import DataError
from heed.inspection.given import Given
from heed.inspection.topics.patches import PATCH, SIDE, cut_up, show_patches


def picture(width: int, height: int) -> Image.Image:
    pixels = numpy.random.default_rng(3).integers(0, 256, (height, width, 3), dtype=numpy.uint8)
    return Image.fromarray(pixels)


def test_the_sizes_of_deck_1_are_196_patches_of_768_numbers_and_197_vectors(table) -> None:
    assert table(show_patches(Given()), "Sizes").cells[1] == (224, 16, 196, 768, 197, 768)


def test_patches_hold_every_pixel_once_and_in_rows() -> None:
    cut = cut_up(picture(SIDE, SIDE))
    assert cut.patches_PX.shape == (16, 768)
    first = torch.tensor(cut.square[0, :PATCH, :PATCH]).permute(2, 0, 1).flatten() / 255
    torch.testing.assert_close(cut.patches_PX[0] * 0.5 + 0.5, first)
    below = torch.tensor(cut.square[0, PATCH : 2 * PATCH, :PATCH]).permute(2, 0, 1).flatten() / 255
    torch.testing.assert_close(cut.patches_PX[4] * 0.5 + 0.5, below)


def test_changing_one_patch_changes_its_vector_alone() -> None:
    one = picture(SIDE, SIDE)
    other = one.copy()
    other.paste((255, 0, 0), (PATCH, 0, 2 * PATCH, PATCH))
    changed = (cut_up(one).vectors_TD != cut_up(other).vectors_TD).any(dim=1)
    assert changed.nonzero().flatten().tolist() == [2]  # [CLS] stands first


def test_a_readers_picture_of_any_shape_is_taken(table) -> None:
    shown = show_patches(Given(image=picture(50, 31)))
    assert len(shown.panels[0].pixels) == SIDE
    assert "Yours, 50 x 31 pixels" in shown.parts[-1].text


def test_a_picture_too_small_to_cut_is_refused() -> None:
    with pytest.raises(DataError, match="is 40 x 15 pixels"):
        show_patches(Given(image=picture(40, 15)))
