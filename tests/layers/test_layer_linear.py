"""The product of few rows equals torch's, and training never takes it."""

import pytest
import torch
from torch import nn

from heed.layers import linear
from heed.layers.linear import Linear


@pytest.fixture
def twins() -> tuple[Linear, nn.Linear]:
    torch.manual_seed(0)
    ours, theirs = Linear(6, 5), nn.Linear(6, 5)
    theirs.load_state_dict(ours.state_dict())
    return ours, theirs


@pytest.mark.parametrize("shape", [(1,), (2,), (8,), (9,), (1, 1), (2, 4), (3, 4), (0,)])
def test_any_number_of_rows_gives_what_torch_gives(twins: tuple[Linear, nn.Linear], shape: tuple[int, ...]) -> None:
    ours, theirs = twins
    x = torch.randn(*shape, 6)
    with torch.inference_mode():
        torch.testing.assert_close(ours(x), theirs(x))


def test_rows_that_are_not_contiguous_give_the_same(twins: tuple[Linear, nn.Linear]) -> None:
    ours, theirs = twins
    x = torch.randn(6, 3).T
    with torch.inference_mode():
        torch.testing.assert_close(ours(x), theirs(x))


def test_few_rows_take_the_fast_way_and_training_does_not(
    twins: tuple[Linear, nn.Linear], monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[int] = []
    real = linear.weights_first
    monkeypatch.setattr(linear, "weights_first", lambda x, *rest: taken.append(len(x)) or real(x, *rest))
    ours, _ = twins
    ours(torch.randn(4, 6)).sum().backward()
    assert taken == []
    assert ours.weight.grad is not None
    with torch.no_grad():
        ours(torch.randn(linear.FEW, 6))
        ours(torch.randn(linear.FEW + 1, 6))
    assert taken == [linear.FEW]
