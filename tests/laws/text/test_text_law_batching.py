"""What is said of a text never depends on its companions: batched equals one by one."""

import pytest
import torch

from heed.models.text_input import TextInput


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_batched_equals_one_by_one(model, case, same) -> None:
    batched_BC = model(case.texts)
    for row in range(len(batched_BC)):
        same(batched_BC[row : row + 1], model(case.alone(row)))


def test_the_order_of_a_batch_does_not_matter(model, case, same) -> None:
    rows = torch.tensor([2, 0, 1])
    same(model(case.rows(rows)), model(case.texts)[rows])


def first_token(text: TextInput) -> TextInput:
    return TextInput(text.token_ids[:, :1], text.keep[:, :1], None if text.segments is None else text.segments[:, :1])


def test_a_batch_of_single_tokens_equals_each_of_them_alone(model, case, same) -> None:
    batched_BC = model(case.changed(first_token))
    assert batched_BC.isfinite().all()
    for row in range(len(batched_BC)):
        alone = [first_token(text) for text in case.alone(row)]
        same(batched_BC[row : row + 1], model(alone))
