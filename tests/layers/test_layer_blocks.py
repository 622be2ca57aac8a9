"""Add and norm: where the norm stands and whether there is a residual, on a sublayer that a person can follow."""

import pytest
import torch
from torch import Tensor

from heed.layers.blocks import AddAndNorm
from heed.layers.norms import TokenNorm


class Halve(torch.nn.Module):
    """Stands for a norm: half of everything."""

    def forward(self, x_BTD: Tensor) -> Tensor:
        return x_BTD / 2


@pytest.mark.parametrize(
    ("norm_first", "residual", "expected"),
    [
        (True, True, 8 + (8 / 2 + 10)),
        (True, False, 8 / 2 + 10),
        (False, True, (8 + (8 + 10)) / 2),
        (False, False, (8 + 10) / 2),
    ],
)
def test_the_norm_and_the_residual_stand_where_they_should(norm_first: bool, residual: bool, expected: float) -> None:
    around = AddAndNorm(TokenNorm(Halve()), norm_first, residual, dropout=0.0)
    assert around(torch.full((1, 1, 1), 8.0), lambda x: x + 10, None).item() == expected


def test_dropout_falls_on_the_sublayer_and_never_on_the_residual() -> None:
    around = AddAndNorm(TokenNorm(torch.nn.Identity()), norm_first=True, residual=True, dropout=0.5).train()
    result = around(torch.full((1, 1, 1000), 8.0), lambda x: torch.ones_like(x), None)
    assert set(result.unique().tolist()) == {8.0, 10.0}  # dropped, or doubled to keep the mean
