"""A later token never changes what was said of those before it; its own, and every earlier one, does."""

import torch


def test_a_later_token_never_changes_an_earlier_output(model, case, same) -> None:
    usual_BTV = model(case.token_ids)
    for place in range(case.token_ids.shape[1]):
        changed_ids = case.token_ids.clone()
        changed_ids[:, place] = (changed_ids[:, place] + 1) % 13
        changed_BTV = model(changed_ids)
        same(changed_BTV[:, :place], usual_BTV[:, :place])
        assert ((changed_BTV - usual_BTV)[:, place].abs().amax(dim=1) > 1e-9).all(), f"token {place}"


def test_the_first_token_changes_the_last_output(model, case) -> None:
    """Without this, a model that sees its last token alone would obey the law."""
    changed_ids = case.token_ids.clone()
    changed_ids[:, 0] = (changed_ids[:, 0] + 1) % 13
    moved_B = (model(changed_ids) - model(case.token_ids))[:, -1].abs().amax(dim=1)
    assert (moved_B > 1e-12).all(), moved_B


def test_padding_changes_nothing(model, case, same) -> None:
    wider_ids = torch.cat([case.token_ids.where(case.keep, (case.token_ids + 3) % 13), case.token_ids[:, :2]], dim=1)
    wider_keep = torch.cat([case.keep, torch.zeros(3, 2, dtype=torch.bool)], dim=1)
    same(model(wider_ids, wider_keep)[wider_keep], model(case.token_ids, case.keep)[case.keep])


def test_batched_equals_one_by_one(model, case, same) -> None:
    batched_BTV = model(case.token_ids, case.keep)
    for row in range(len(case.token_ids)):
        alone_ids = case.token_ids[row : row + 1, case.keep[row]]
        same(batched_BTV[row : row + 1, : alone_ids.shape[1]], model(alone_ids))
