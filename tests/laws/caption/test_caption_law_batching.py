"""What is said of a picture never depends on its companions."""

import pytest
import torch


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_captions_batched_equal_one_by_one(model, case, same) -> None:
    batched_BTV = model(*case.inputs)
    for row in range(len(case.images)):
        target_ids = case.target_ids[row : row + 1, case.target_keep[row]]
        alone_1TV = model(case.images[row : row + 1], target_ids)
        same(batched_BTV[row : row + 1, : target_ids.shape[1]], alone_1TV)


def test_the_order_of_captioned_pictures_does_not_matter(model, case, same) -> None:
    rows = torch.tensor([2, 0, 1])
    same(model(*(each[rows] for each in case.inputs)), model(*case.inputs)[rows])
