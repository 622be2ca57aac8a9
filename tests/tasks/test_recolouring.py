"""Other colours for pictures: each change by hand, none at strength 0."""

import pytest
import torch

from heed.tasks.image_draws import Draws
from heed.tasks.recolouring import (
    OPERATIONS,
    Operation,
    brighter,
    grey,
    greyed,
    more_colourful,
    more_contrast,
    operated,
    posterised,
    sharper,
    solarised,
    stretched,
    turned_round_the_wheel,
)

TWO = torch.tensor([0.2, 0.4, 0.6])[None, :, None, None] * torch.tensor([[[[1.0, 0.5]]]])  # a bright and a dark place


def amount(value: float) -> torch.Tensor:
    """Return a strength for one picture."""
    return torch.full((1, 1, 1, 1), value)


@pytest.mark.parametrize("operation", [each for each in OPERATIONS if each is not posterised])
def test_strength_zero_changes_nothing(operation: Operation) -> None:
    images = torch.rand(2, 3, 5, 7, generator=torch.Generator().manual_seed(1))
    torch.testing.assert_close(operation(images, amount(0.0)), images)


def test_brightness_multiplies_and_stays_below_one() -> None:
    torch.testing.assert_close(brighter(TWO, amount(0.5)), TWO * 1.5)
    assert brighter(TWO, amount(1.0)).max() == 1.0


def test_contrast_moves_away_from_the_mean_grey() -> None:
    mean = grey(TWO).mean()
    torch.testing.assert_close(more_contrast(TWO, amount(0.1)), mean + (TWO - mean) * 1.1)
    torch.testing.assert_close(more_contrast(TWO, amount(-1.0)), torch.full_like(TWO, mean.item()))


def test_saturation_keeps_how_bright_each_place_is() -> None:
    torch.testing.assert_close(grey(more_colourful(TWO, amount(0.2))), grey(TWO))
    torch.testing.assert_close(more_colourful(TWO, amount(-1.0)), grey(TWO).expand_as(TWO))


def test_a_third_of_the_wheel_makes_red_green_and_leaves_greys() -> None:
    red, grey_one = torch.tensor([0.9, 0.1, 0.1]), torch.tensor([0.4, 0.4, 0.4])
    images = torch.stack([red, grey_one], dim=1)[None, :, None, :]
    found = turned_round_the_wheel(images, amount(2 / 3))[0, :, 0].T
    torch.testing.assert_close(found, torch.stack([torch.tensor([0.1, 0.9, 0.1]), grey_one]))
    torch.testing.assert_close(turned_round_the_wheel(images, amount(0.0)), images)


def test_a_share_of_the_pictures_loses_its_colour() -> None:
    images = torch.rand(200, 3, 4, 4, generator=torch.Generator().manual_seed(1))
    found = greyed(images, 0.3, Draws(1, 0, range(200)))
    lost = (found == grey(images)).flatten(1).all(dim=1)
    assert 40 < lost.sum() < 80
    assert torch.equal(found[~lost], images[~lost])


def test_posterising_leaves_four_steps_at_full_strength() -> None:
    ramp = torch.linspace(0, 1, 100).expand(1, 3, 1, 100)
    assert posterised(ramp, amount(1.0)).unique().numel() == 4
    torch.testing.assert_close(posterised(ramp, amount(0.0)), ramp, atol=1 / 255, rtol=0)


def test_solarising_inverts_what_is_bright() -> None:
    ramp = torch.tensor([0.1, 0.45, 0.9]).expand(1, 3, 1, 3)
    torch.testing.assert_close(solarised(ramp, amount(-0.5))[0, 0, 0], torch.tensor([0.1, 0.45, 0.1]))


def test_stretching_uses_the_whole_range() -> None:
    full = stretched(TWO, amount(1.0))
    assert full.amin(dim=(2, 3)).flatten().tolist() == pytest.approx([0, 0, 0])
    assert full.amax(dim=(2, 3)).flatten().tolist() == pytest.approx([1, 1, 1])


def test_sharpening_widens_an_edge_and_blurring_narrows_it() -> None:
    edge = torch.cat([torch.full((1, 3, 5, 3), 0.4), torch.full((1, 3, 5, 3), 0.6)], dim=3)
    steps = [
        (found[0, 0, 2, 3] - found[0, 0, 2, 2]).item() for found in (sharper(edge, amount(a)) for a in (-1.0, 0.0, 1.0))
    ]
    assert steps[0] < steps[1] < steps[2]
    assert steps[1] == pytest.approx(0.2)


def test_each_picture_gets_an_operation_of_its_own() -> None:
    images = torch.rand(40, 3, 4, 4, generator=torch.Generator().manual_seed(1))
    found = operated(images, 1, 0.9, Draws(2, 0, range(40)))
    alone = operated(images[7:8], 1, 0.9, Draws(2, 0, [7]))
    torch.testing.assert_close(found[7:8], alone)
    assert (found != images).flatten(1).any(dim=1).sum() > 35
