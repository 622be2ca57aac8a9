"""A result never depends on its companions: batched equals one by one."""

import pytest
import torch


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_batched_equals_one_by_one(model, case, same) -> None:
    batched_BTV = model(*case.inputs)
    for row in range(len(case.source_ids)):
        source_ids = case.source_ids[row : row + 1, case.source_keep[row]]
        target_ids = case.target_ids[row : row + 1, case.target_keep[row]]
        alone_1TV = model(source_ids, torch.ones_like(source_ids, dtype=torch.bool), target_ids)
        same(batched_BTV[row : row + 1, : target_ids.shape[1]], alone_1TV)


def test_the_order_of_a_batch_does_not_matter(model, case, same) -> None:
    rows = torch.tensor([2, 0, 1])
    shuffled_BTV = model(*(each[rows] for each in case.inputs))
    same(shuffled_BTV, model(*case.inputs)[rows])
