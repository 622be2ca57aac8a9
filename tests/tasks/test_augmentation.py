"""Pictures varied for learning: drawn from seed, epoch and picture alone, and each change by hand."""

import re
from dataclasses import replace

import pytest
import torch
from torch import Tensor
from unvaried import NONE

from heed.errors import SettingsError
from heed.tasks.augmentation import AugmentationSettings, Examples, augmented, erased, mixed, moved, rectangles
from heed.tasks.image_draws import COLUMNS, Draws

SIDE = 10
EVERYTHING = AugmentationSettings(operations=3, erase=0.8, mixup=0.5, cutmix=0.5)


def pictures(count: int = 6, side: int = SIDE, classes: int = 3) -> Examples:
    """Return pictures of random colours, each of one class."""
    generator = torch.Generator().manual_seed(count)
    images = torch.rand(count, 3, side, side, generator=generator)
    return Examples(images, torch.eye(classes)[torch.arange(count) % classes])


def rolled(examples: Examples) -> Examples:
    """Return what stands before each of the examples; before the first stands the last."""
    return Examples(examples.images.roll(1, dims=0), examples.expected.roll(1, dims=0))


def shown(rows: list[int], settings: AugmentationSettings, seed: int = 1, epoch: int = 2) -> Tensor:
    """Return some of the pictures as an epoch shows them."""
    whole = pictures(count=9)
    examples = Examples(whole.images[rows], whole.expected[rows])
    return augmented(examples, SIDE, settings, Draws(seed, epoch, rows)).images


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"crop": 0.0}, "augmentation.crop is 0.0. Use a share of the area above 0 and up to 1."),
        ({"stretch": 0.5}, "augmentation.stretch is 0.5. Use 1 (not at all) to 4."),
        ({"turn": 200.0}, "augmentation.turn is 200.0. Use degrees from 0 to 180."),
        ({"colour": 1.5}, "augmentation.colour is 1.5. Use a share from 0 to 1."),
        ({"hue": -0.5}, "augmentation.hue is -0.5. Use a share from 0 to 1."),
        ({"grey": 1.1}, "augmentation.grey is 1.1."),
        ({"operations": 9}, "augmentation.operations is 9. Use 0 to 8."),
        ({"strength": -0.1}, "augmentation.strength is -0.1."),
        ({"erase": 2.0}, "augmentation.erase is 2.0."),
        ({"mixup": 0.7, "cutmix": 0.5}, "augmentation.mixup is 0.7 and augmentation.cutmix 0.5"),
    ],
)
def test_settings_that_make_no_sense_are_refused_with_their_value(given: dict, message: str) -> None:
    with pytest.raises(SettingsError, match=re.escape(message)):
        AugmentationSettings(**given)


def test_a_picture_is_varied_alike_whatever_it_is_batched_with() -> None:
    alone = replace(EVERYTHING, mixup=0.0, cutmix=0.0)
    together = shown([4, 0, 7, 2], alone)
    for place, row in enumerate([4, 0, 7, 2]):
        torch.testing.assert_close(shown([row], alone)[0], together[place])


def test_seed_epoch_and_picture_each_change_what_is_drawn() -> None:
    first = shown([3], EVERYTHING)
    assert torch.equal(shown([3], EVERYTHING), first)
    assert not torch.equal(shown([3], EVERYTHING, seed=5), first)
    assert not torch.equal(shown([3], EVERYTHING, epoch=5), first)
    draws = [Draws(1, 2, [picture]).uniform().item() for picture in range(50)]
    assert len(set(draws)) == 50


def test_draws_are_spread_evenly_and_stay_below_one() -> None:
    draws = Draws(3, 0, range(500))
    columns = torch.stack([draws.uniform() for _ in range(COLUMNS)])
    assert columns.min() >= 0
    assert columns.max() < 1
    # 500 numbers from 0 to 1 have a mean of 0.5 with a spread of 0.013; five of those leave none of 64 columns out.
    assert (columns.mean(dim=1) - 0.5).abs().max() < 0.065


def test_everything_together_draws_no_more_than_a_picture_has() -> None:
    most = AugmentationSettings(operations=8, erase=1.0, mixup=0.5, cutmix=0.5)
    images = augmented(pictures(), SIDE, most, Draws(0, 0, range(6))).images
    assert images.shape == (6, 3, SIDE, SIDE)
    assert 0 <= images.min() <= images.max() <= 1


def test_without_augmentation_pictures_stay_as_they_are() -> None:
    examples = pictures()
    found = augmented(examples, SIDE, NONE, Draws(1, 1, range(6)))
    torch.testing.assert_close(found.images, examples.images, atol=1e-5, rtol=0)
    assert torch.equal(found.expected, examples.expected)


def test_half_of_the_pictures_are_mirrored() -> None:
    images = pictures(count=400, side=4).images
    found = moved(images, 4, replace(NONE, flip=True), Draws(1, 0, range(400)))
    mirrored = ((found - images.flip(-1)).abs() < 1e-5).flatten(1).all(dim=1)
    same = ((found - images).abs() < 1e-5).flatten(1).all(dim=1)
    assert (mirrored ^ same).all()
    assert 160 < mirrored.sum() < 240


def test_a_crop_shows_a_part_and_nothing_but_the_part() -> None:
    """Each place of these pictures says where it is, so what is shown tells which part it was."""
    ramp = (torch.arange(40) + 0.5) / 40
    down, across = torch.meshgrid(ramp, ramp, indexing="ij")
    images = torch.stack([across, down, torch.zeros_like(across)]).expand(60, 3, 40, 40)
    found = moved(images, 20, replace(NONE, crop=0.25, stretch=1.5), Draws(4, 0, range(60)))
    width = (found[:, 0, :, -1] - found[:, 0, :, 0]).mean(dim=1) * 20 / 19
    height = (found[:, 1, -1] - found[:, 1, 0]).mean(dim=1) * 20 / 19
    area, ratio = width * height, width / height
    assert 0.22 < area.min() < 0.4
    assert 0.8 < area.max() <= 1.01
    assert 1 / 1.6 < ratio.min() < 0.8
    assert 1.25 < ratio.max() < 1.6


def test_a_picture_is_turned_by_at_most_the_angle() -> None:
    ramp = (torch.arange(40) + 0.5) / 40
    images = ramp.expand(50, 3, 40, 40)  # brighter to the right: the slope of what is shown is the angle
    found = moved(images, 40, replace(NONE, turn=30.0), Draws(4, 0, range(50)))[:, 0, 15:25, 15:25]
    right, down = found[:, 5, 9] - found[:, 5, 0], found[:, 9, 5] - found[:, 0, 5]
    degrees = torch.rad2deg(torch.atan2(-down, right))
    assert -30.5 < degrees.min() < -22
    assert 22 < degrees.max() < 30.5


def test_a_rectangle_has_the_area_that_was_drawn_unless_the_edge_cuts_it() -> None:
    areas = torch.full((300,), 0.04)
    seen = rectangles(areas, torch.ones(300), 100, Draws(2, 0, range(300))).float().mean(dim=(1, 2, 3))
    assert seen.max() == pytest.approx(0.04, abs=0.005)
    assert seen.min() > 0.005
    assert not rectangles(torch.zeros(5), torch.ones(5), 100, Draws(2, 0, range(5))).any()


def test_erasing_hides_a_rectangle_in_its_share_of_the_pictures() -> None:
    images = pictures(count=300).images
    found = erased(images, 0.3, Draws(9, 0, range(300)))
    changed = (found != images).any(dim=1)
    touched = changed.flatten(1).any(dim=1)
    assert 60 < touched.sum() < 120
    assert (changed.float().mean(dim=(1, 2)) < 0.35).all()
    hidden = found[touched][0][:, changed[touched][0]]
    assert (hidden == hidden[:, :1]).all()


def test_a_rectangle_of_another_picture_counts_by_its_area() -> None:
    examples = Examples(torch.arange(4.0)[:, None, None, None].expand(4, 3, 50, 50) / 4, torch.eye(4))
    found = mixed(examples, rolled(examples), 0.0, 1.0, Draws(6, 0, range(4)))
    for row in range(4):
        own = (found.images[row, 0] == row / 4).float().mean().item()
        assert found.expected[row, row].item() == pytest.approx(own, abs=1e-5)
        assert found.expected[row, row - 1].item() == pytest.approx(1 - own, abs=1e-5)


def test_a_picture_that_shines_through_counts_by_how_much() -> None:
    examples = Examples(torch.eye(4)[:, :3, None, None].expand(4, 3, 5, 5), torch.eye(4))
    found = mixed(examples, rolled(examples), 1.0, 0.0, Draws(6, 0, range(4)))
    torch.testing.assert_close(found.expected[1, 1], found.images[1, 1, 0, 0])
    torch.testing.assert_close(found.expected[1, 0], found.images[1, 0, 0, 0])
    assert 0 < found.expected[1, 1] < 1


def test_classes_of_mixed_pictures_always_sum_to_one() -> None:
    examples = pictures(count=200)
    found = mixed(examples, rolled(examples), 0.5, 0.5, Draws(6, 0, range(200)))
    torch.testing.assert_close(found.expected.sum(dim=1), torch.ones(200))
