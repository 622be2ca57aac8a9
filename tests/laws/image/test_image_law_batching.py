"""What is said of a picture never depends on its companions, and depends on each of its patches."""

import pytest
import torch


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_pictures_batched_equal_one_by_one(model, images, same) -> None:
    batched_BC = model(images)
    for row in range(len(images)):
        same(batched_BC[row : row + 1], model(images[row : row + 1]))


def test_the_order_of_pictures_does_not_matter(model, images, same) -> None:
    rows = torch.tensor([2, 0, 1])
    same(model(images[rows]), model(images)[rows])


def test_every_pixel_has_a_gradient_in_what_is_said_of_its_picture_and_of_no_other(model, images) -> None:
    """Without this, a model that is blind to its pictures would obey the law of batches."""
    images = images.clone().requires_grad_()
    (moved,) = torch.autograd.grad(model(images)[1].square().sum(), images)
    assert (moved[1].abs().amax(dim=0) > 0).all()
    assert not moved[[0, 2]].any()
