"""Padding of captions changes nothing, a later word changes nothing before it; each picture and each word does."""

import pytest
import torch
from torch.nn import functional


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_padding_of_captions_changes_nothing(model, case, same) -> None:
    wider_ids, wider_keep = functional.pad(case.target_ids, (0, 2)), functional.pad(case.target_keep, (0, 2))
    wider_ids = wider_ids.where(wider_keep, (wider_ids + 3) % 11)
    wide_BTV = model(case.images, wider_ids, wider_keep)
    same(wide_BTV[wider_keep], model(*case.inputs)[case.target_keep])


def test_a_later_word_never_changes_what_is_said_before_it(model, case, same) -> None:
    # No target_keep: every position counts as real here, so that all five can be tried in every row.
    usual_BTV = model(case.images, case.target_ids)
    for place in range(case.target_ids.shape[1]):
        changed_ids = case.target_ids.clone()
        changed_ids[:, place] = (changed_ids[:, place] + 1) % 11
        changed_BTV = model(case.images, changed_ids)
        same(changed_BTV[:, :place], usual_BTV[:, :place])
        moved_B = (changed_BTV - usual_BTV)[:, place].abs().amax(dim=1)
        assert (moved_B > 1e-9).all(), f"word {place} is not heard at its own place: {moved_B}"


def test_every_pixel_has_a_gradient_in_what_is_said_of_its_picture_and_of_no_other(model, case) -> None:
    """Without this, a model that is blind to its pictures would obey the laws of captions."""
    images = case.images.clone().requires_grad_()
    said_TV = model(images, case.target_ids, case.target_keep)[1]
    (moved,) = torch.autograd.grad(said_TV.square().sum(), images)
    assert (moved[1].abs().amax(dim=0) > 0).all()
    assert not moved[[0, 2]].any()
