"""A later target token never changes an earlier output."""

import torch
from torch import Tensor


def sees_its_target(settings, source_keep: Tensor) -> Tensor:
    """Return (B,) bool: whose own target reaches the output at all.

    Without residuals, all that leaves a decoder block has come through its attention over the source. If that has a
    single token, every query gets the same answer and the target is lost: what residuals are for, in one line.
    """
    if getattr(settings, "residual", True):
        return torch.ones(len(source_keep), dtype=torch.bool)
    return source_keep.sum(dim=1) > 1


def test_a_later_target_token_never_changes_an_earlier_output(model, case, same, settings) -> None:
    # No target_keep: every position counts as real here, so that all five can be tried in every row.
    usual_BTV = model(case.source_ids, case.source_keep, case.target_ids)
    for place in range(case.target_ids.shape[1]):
        changed_ids = case.target_ids.clone()
        changed_ids[:, place] = (changed_ids[:, place] + 1) % 11
        changed_BTV = model(case.source_ids, case.source_keep, changed_ids)
        same(changed_BTV[:, :place], usual_BTV[:, :place])
        moved_B = (changed_BTV - usual_BTV)[:, place].abs().amax(dim=1)
        assert torch.equal(moved_B > 1e-9, sees_its_target(settings, case.source_keep)), f"token {place}: {moved_B}"
