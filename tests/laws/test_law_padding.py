"""Padding changes nothing: not its amount, not what stands in it."""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional

Same = Callable[[Tensor, Tensor], None]


def widened(token_ids: Tensor, keep: Tensor) -> tuple[Tensor, Tensor]:
    """Return the sequences with other ids in their padding, and two more columns of it."""
    wider_ids, wider_keep = functional.pad(token_ids, (0, 2), value=7), functional.pad(keep, (0, 2), value=False)
    return wider_ids.where(wider_keep, (wider_ids + 3) % 10), wider_keep


def test_padding_of_the_source_changes_nothing(model, case, same: Same) -> None:
    wider_ids, wider_keep = widened(case.source_ids, case.source_keep)
    same(model(wider_ids, wider_keep, case.target_ids, case.target_keep), model(*case.inputs))


def test_padding_of_the_target_changes_nothing(model, case, same: Same) -> None:
    wider_ids, wider_keep = widened(case.target_ids, case.target_keep)
    wide_BTV = model(case.source_ids, case.source_keep, wider_ids, wider_keep)
    same(wide_BTV[wider_keep], model(*case.inputs)[case.target_keep])


def test_padding_of_the_source_changes_no_step_of_decoding(model, case, same: Same) -> None:
    first_B1 = case.target_ids[:, :1]
    wide_B1V, _ = model.step(first_B1, model.start(*widened(case.source_ids, case.source_keep)))
    narrow_B1V, _ = model.step(first_B1, model.start(case.source_ids, case.source_keep))
    same(wide_B1V, narrow_B1V)


def test_every_real_source_token_changes_the_output(model, case) -> None:
    """Without this, a model that is blind to its source would obey the law of padding."""
    usual_BTV = model(*case.inputs)
    for place in range(case.source_ids.shape[1]):
        changed_ids = case.source_ids.clone()
        changed_ids[:, place] = (changed_ids[:, place] + 1) % 11
        changed_BTV = model(changed_ids, case.source_keep, case.target_ids, case.target_keep)
        moved_B = (changed_BTV - usual_BTV).abs().amax(dim=(1, 2)) > 0
        assert torch.equal(moved_B, case.source_keep[:, place]), f"source token {place}"
