"""A single step of a recurrence is a step of torch's own call."""

import pytest
import torch

from heed.layers.recurrent import build_recurrence, run
from heed.layers.recurrent_step import advance


@pytest.mark.parametrize("cell", ["rnn", "lstm", "gru"])
@pytest.mark.parametrize("layers", [1, 3])
@torch.no_grad()
def test_steps_one_by_one_equal_one_pass(cell, layers: int) -> None:
    torch.manual_seed(layers)
    recurrence = build_recurrence(cell, input_width=4, width=5, layers=layers, dropout=0.0)
    x_BTE = torch.randn(2, 6, 4)
    before_BTD, state = run(recurrence, x_BTE[:, :3], None)
    whole_BTD, last = run(recurrence, x_BTE, None)
    torch.testing.assert_close(before_BTD, whole_BTD[:, :3])
    for place in range(3, 6):
        output_BD, state = advance(recurrence, x_BTE[:, place], state)
        torch.testing.assert_close(output_BD, whole_BTD[:, place])
    for ours, theirs in zip(state, last, strict=True):
        torch.testing.assert_close(ours, theirs)
