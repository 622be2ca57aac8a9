"""Pictures made square: the middle or the whole, as the processor of a published model makes them."""

import numpy as np
import pytest
from PIL import Image

from heed.data.squares import squared


def noise(width: int, height: int) -> Image.Image:
    numbers = np.random.default_rng(width).integers(0, 256, (height, width, 3), dtype=np.uint8)
    return Image.fromarray(numbers)


@pytest.mark.parametrize("fit", ["crop", "squash"])
def test_a_square_of_the_right_size_is_not_changed(fit: str) -> None:
    image = noise(5, 5)
    assert np.array_equal(squared(image, 5, fit), np.asarray(image))  # type: ignore[arg-type]


@pytest.mark.parametrize(("width", "height", "left", "top"), [(9, 4, 2, 0), (4, 9, 0, 2), (8, 4, 2, 0)])
def test_cropping_takes_the_middle_and_nothing_beside_it(width: int, height: int, left: int, top: int) -> None:
    image = noise(width, height)
    assert np.array_equal(squared(image, 4, "crop"), np.asarray(image)[top : top + 4, left : left + 4])
    cut = image.crop((left, top, left + 4, top + 4))
    assert np.array_equal(squared(image, 3, "crop"), squared(cut, 3, "squash"))


def test_squashing_keeps_what_is_at_every_side() -> None:
    numbers = np.zeros((4, 12, 3), dtype=np.uint8)
    numbers[:, 0], numbers[:, -1], numbers[0, :, 1] = (255, 0, 0), (0, 0, 255), 255
    square = squared(Image.fromarray(numbers), 4, "squash")
    assert (square[:, 0, 0] > square[:, 1, 0]).all()
    assert (square[:, -1, 2] > square[:, -2, 2]).all()
    assert (square[0, :, 1] > square[-1, :, 1]).all()


def test_a_thousand_fine_lines_become_their_mean() -> None:
    stripes = np.zeros((10, 1000, 3), dtype=np.uint8)
    stripes[:, ::2] = 200
    assert np.abs(squared(Image.fromarray(stripes), 4, "squash").astype(int) - 100).max() <= 1


@pytest.mark.parametrize(("width", "height"), [(300, 200), (97, 411), (224, 224), (1, 37)])
def test_squashing_equals_the_processor_of_transformers(width: int, height: int) -> None:
    module = pytest.importorskip("transformers.models.vit.image_processing_pil_vit")
    image = noise(width, height)
    theirs = module.ViTImageProcessorPil()(image, return_tensors="np")["pixel_values"][0]
    ours = squared(image, 224, "squash").astype(np.float64) / 255
    np.testing.assert_allclose((ours - 0.5) / 0.5, theirs.transpose(1, 2, 0), atol=1e-6)
