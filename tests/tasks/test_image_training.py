"""Batches of pictures: as the seed, the epoch and the rows say, at the side that the model reads; and the loss."""

import numpy
import pytest
import torch
from torch.nn import functional
from unvaried import NONE

from heed.data.labels import Labels
from heed.data.records import LabelledImage
from heed.errors import SettingsError
from heed.models.vit import ImageClassifier, VitSettings
from heed.tasks.augmentation import AugmentationSettings
from heed.tasks.image import ColourSettings, ImageBatch, ImageObjective, Pictured, read_images, to_floats
from heed.tasks.image_training import ImageTraining
from heed.tasks.showing import Showing
from heed.tasks.targets import Classes

TINY = VitSettings(image=12, patch=4, width=8, heads=2, layers=1, feedforward=10, drop_path=0.0)
NAMES = ("daisy", "rose", "tulip")


def part(count: int, side: int) -> Pictured[LabelledImage]:
    """Return pictures of random colours with labels in turn."""
    squares = numpy.random.default_rng(count).integers(0, 256, size=(count, side, side, 3), dtype=numpy.uint8)
    records = [LabelledImage(f"{number}.png", NAMES[number % 3], f"{number}.png") for number in range(count)]
    return Pictured(records, squares)


def training(augmentation: AugmentationSettings = NONE, side: int = 12, seed: int = 3) -> ImageTraining:
    torch.manual_seed(1)
    model = ImageClassifier(TINY, outputs=3)
    targets = Classes(Labels(NAMES))
    showing = Showing(augmentation, ColourSettings(), TINY.image, seed)
    return ImageTraining(model, targets, part(20, side), part(7, 12), showing, label_smoothing=0.0)


def test_every_picture_comes_once_in_an_epoch_in_batches_of_so_many_positions() -> None:
    task = training()
    batches = task.order(seed=1, epoch=0, tokens_per_batch=60, window=100)  # 3 x 3 patches and [CLS]: 6 pictures
    assert sorted(row for rows in batches for row in rows) == list(range(20))
    assert sorted(map(len, batches)) == [5, 5, 5, 5]  # even, rather than three full ones and a rest
    assert task.order(1, 0, 60, 100) == batches != task.order(1, 1, 60, 100)
    assert task.batch(batches[0], 0).tokens == 10 * len(batches[0])


def test_without_variation_a_batch_is_the_pictures_as_they_are_kept() -> None:
    task = training()
    batch = task.batch([4, 9], epoch=2)
    expected = torch.from_numpy(task.train.squares[[4, 9]]).permute(0, 3, 1, 2) / 127.5 - 1
    torch.testing.assert_close(batch.images, expected, atol=1e-4, rtol=0)
    assert batch.expected.tolist() == [[0, 1, 0], [1, 0, 0]]
    assert batch.targets == 2


def test_a_batch_is_a_function_of_seed_epoch_and_rows() -> None:
    varied = AugmentationSettings(operations=1)
    one, same, other = training(varied, side=15), training(varied, side=15), training(varied, side=15, seed=4)
    batch = one.batch([1, 2, 3], 5)
    assert batch.images.shape == (3, 3, 12, 12)
    assert torch.equal(same.batch([1, 2, 3], 5).images, batch.images)
    assert not torch.equal(same.batch([1, 2, 3], 6).images, batch.images)
    assert not torch.equal(other.batch([1, 2, 3], 5).images, batch.images)


def test_the_loss_is_the_cross_entropy_with_the_share_of_each_class() -> None:
    task = training()
    objective = ImageObjective(task.model.eval(), label_smoothing=0.0)
    images = torch.rand(2, 3, 12, 12)
    shares = torch.tensor([[0.25, 0.75, 0.0], [0.0, 0.0, 1.0]])
    with torch.no_grad():
        found = objective(ImageBatch(images, shares, 10))
        wanted = -(functional.log_softmax(task.model(images), dim=1) * shares).sum()
    torch.testing.assert_close(found, wanted)


def test_reading_many_pictures_equals_reading_each() -> None:
    task = training()
    task.model.eval()
    squares = part(9, 12).squares
    together = read_images(task.model, squares, ColourSettings())
    for row in range(9):
        alone = read_images(task.model, squares[row : row + 1], ColourSettings())
        numpy.testing.assert_allclose(alone[0], together[row], atol=1e-5)


def test_a_validation_scores_all_pictures_and_shows_one() -> None:
    task = training()
    task.model.eval()
    found = task.validate()
    assert found.values.keys() == {"accuracy", "loss"}
    assert found.score == found.values["accuracy"]
    assert (found.sample.source, found.sample.expected) == ("3.png", "daisy")


def test_numbers_are_taken_less_the_mean_over_the_spread_of_each_colour() -> None:
    colours = ColourSettings(mean=(0.1, 0.2, 0.3), spread=(0.5, 1.0, 2.0))
    squares = numpy.full((1, 2, 2, 3), 255, dtype=numpy.uint8)
    scaled = colours.scaled(to_floats(squares, [0]))
    torch.testing.assert_close(scaled[0, :, 0, 0], torch.tensor([1.8, 0.8, 0.35]))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"mean": (0.5,)}, r"colours.mean is \[0.5\]. Give three: red, green and blue."),
        ({"spread": (0.5, 0.0, 1.0)}, r"colours.spread is \[0.5, 0.0, 1.0\]. Give numbers above 0."),
    ],
)
def test_colours_that_make_no_sense_are_refused(given: dict, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        ColourSettings(**given)
