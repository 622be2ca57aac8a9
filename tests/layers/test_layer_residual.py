"""What stands between a sublayer and the sum: layer scale multiplies, drop path leaves out whole examples."""

import pytest
import torch
from torch import nn

from heed.layers.blocks import AddAndNorm
from heed.layers.norms import NoNorm
from heed.layers.residual import DropPath, LayerScale


def test_layer_scale_multiplies_each_number_by_its_own_factor() -> None:
    scale = LayerScale(3, start=0.5)
    assert scale.scale_D.tolist() == [0.5, 0.5, 0.5]
    with torch.no_grad():
        scale.scale_D.copy_(torch.tensor([1.0, 10.0, 100.0]))
    assert scale(torch.tensor([[[1.0, 2.0, 3.0]]])).tolist() == [[[1.0, 20.0, 300.0]]]


def test_drop_path_leaves_out_whole_examples_and_scales_the_others() -> None:
    torch.manual_seed(1)
    result = DropPath(0.75).train()(torch.ones(4000, 2, 3))
    assert set(result.unique().tolist()) == {0.0, 4.0}
    assert torch.equal(result.amin(dim=(1, 2)), result.amax(dim=(1, 2)))  # all of an example, or nothing of it
    assert result.mean().item() == pytest.approx(1.0, abs=0.15)


def test_drop_path_draws_from_the_default_generator() -> None:
    drop, ones = DropPath(0.5).train(), torch.ones(64, 1, 1)
    torch.manual_seed(2)
    first = drop(ones)
    torch.manual_seed(2)
    assert torch.equal(drop(ones), first)
    assert not torch.equal(drop(ones), first)


def test_drop_path_does_nothing_in_evaluation_or_with_a_share_of_zero() -> None:
    ones = torch.ones(50, 1, 1)
    assert torch.equal(DropPath(0.9).eval()(ones), ones)
    state = torch.get_rng_state()
    assert torch.equal(DropPath(0.0).train()(ones), ones)
    assert torch.equal(torch.get_rng_state(), state)


@pytest.mark.parametrize("share", [-0.1, 1.0])
def test_a_share_of_examples_that_is_none_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match=f"drop path is {share}"):
        DropPath(share)


def test_what_stands_between_falls_on_the_sublayer_and_never_on_the_residual() -> None:
    around = AddAndNorm(NoNorm(), norm_first=True, residual=True, dropout=0.0, between=LayerScale(1, start=0.5))
    assert around(torch.full((1, 1, 1), 8.0), lambda x: x + 10, None).item() == 8 + (8 + 10) / 2


def test_a_block_without_such_a_part_has_no_weights_more() -> None:
    around = AddAndNorm(NoNorm(), norm_first=True, residual=True, dropout=0.0)
    assert not any(isinstance(module, nn.Sequential | LayerScale) for module in around.modules())
    assert list(around.state_dict()) == []
