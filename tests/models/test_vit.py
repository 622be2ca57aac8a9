"""The Vision Transformer: the arithmetic of patches, published sizes, what stands where, and what is refused."""

from dataclasses import replace

import pytest
import torch
from torch import nn

from heed.errors import DataError, SettingsError, UsageError
from heed.layers.grid_positions import grid_sinusoid
from heed.layers.residual import DropPath, LayerScale
from heed.layers.trace import Trace
from heed.models.vit import PRESETS, ImageClassifier, Vit, VitSettings, preset
from heed.models.weights import parameter_count
from heed.training.depth import freeze, rate_shares

SMALL = VitSettings(image=12, patch=4, width=8, heads=2, layers=3, feedforward=10)


def pictures(count: int = 2, side: int = 12) -> torch.Tensor:
    return torch.randn(count, 3, side, side, generator=torch.Generator().manual_seed(3))


def test_a_picture_of_224_in_patches_of_16_is_196_patches_and_cls() -> None:
    settings = VitSettings(image=224, patch=16, width=8, heads=2, layers=1, feedforward=8)
    model = Vit(settings)
    assert model.patch_grid == (14, 14)
    assert model.hidden(pictures(1, 224)).shape == (1, 196 + 1, 8)
    assert model.embedding.positions.table.shape == (197, 8)
    assert model.embedding.patches.project.in_features == 16 * 16 * 3 == 768


@pytest.mark.parametrize(("name", "parameters"), [("vit-small", 21_665_664), ("vit-base", 85_798_656)])
def test_the_published_sizes_have_their_number_of_parameters(name: str, parameters: int) -> None:
    with torch.device("meta"):
        assert parameter_count(Vit(PRESETS[name])) == parameters


def test_the_tiny_one_has_one_to_three_million_parameters() -> None:
    with torch.device("meta"):
        assert 1e6 < parameter_count(Vit(PRESETS["vit-tiny"])) < 3e6


def test_a_size_that_there_is_not_is_refused_with_those_that_there_are() -> None:
    assert preset("vit-base") is PRESETS["vit-base"]
    with pytest.raises(UsageError, match=r"no model 'vit-huge'.*vit-hybrid, vit-tiny, vit-small, vit-base"):
        preset("vit-huge")


@pytest.mark.parametrize(
    ("pooling", "registers", "begin"),
    [("first", 0, 1), ("first", 2, 3), ("mean", 0, 0), ("mean", 2, 2), ("both", 4, 5)],
)
def test_patches_stand_behind_cls_and_registers(pooling: str, registers: int, begin: int) -> None:
    model = Vit(replace(SMALL, pooling=pooling, registers=registers)).eval()
    assert model.patches_begin == begin
    embedded_BTD = model.embedding(pictures())
    assert embedded_BTD.shape == (2, begin + 9, 8)
    table = model.embedding.positions.table[1 if pooling != "mean" else 0 :]
    torch.testing.assert_close(embedded_BTD[:, begin:], model.embedding.patches(pictures()) + table)
    if pooling != "mean":
        first_D = model.embedding.first_D + model.embedding.positions.table[0]
        torch.testing.assert_close(embedded_BTD[:, 0], first_D.expand(2, 8))
    if registers:
        torch.testing.assert_close(embedded_BTD[1, begin - registers : begin], model.embedding.registers_RD)


def test_what_is_pooled_is_cls_or_the_mean_of_the_patches_or_both_side_by_side() -> None:
    states_BTD = torch.randn(2, 3 + 9, 8)
    first, mean = states_BTD[:, 0], states_BTD[:, 3:].mean(dim=1)
    poolings = {"first": first, "both": torch.cat([first, mean], dim=1)}
    for pooling, expected in poolings.items():
        model = Vit(replace(SMALL, pooling=pooling, registers=2))
        torch.testing.assert_close(model.pooled(states_BTD), expected)
        assert model.pooled_width == expected.shape[1]
        assert model(pictures()).shape == expected.shape
    torch.testing.assert_close(Vit(replace(SMALL, pooling="mean", registers=3)).pooled(states_BTD), mean)


def test_sinusoids_are_those_of_the_grid_and_cls_has_none() -> None:
    table = Vit(replace(SMALL, positions="sinusoid")).embedding.positions.table
    assert torch.equal(table[1:], grid_sinusoid((3, 3), 8).float())
    assert not table[0].any()


def test_without_positions_the_order_of_patches_does_not_matter_and_with_them_it_does() -> None:
    swapped = pictures().roll(4, dims=3)  # whole patches change places
    for positions, equal in (("none", True), ("learned", False), ("sinusoid", False)):
        torch.manual_seed(5)
        model = Vit(replace(SMALL, positions=positions)).eval()
        assert torch.allclose(model(swapped), model(pictures()), atol=1e-5) == equal, positions


def test_drop_path_rises_from_nothing_at_the_first_block_to_its_share_at_the_last() -> None:
    model = Vit(replace(SMALL, drop_path=0.4))
    shares = [[each.share for each in block.modules() if isinstance(each, DropPath)] for block in model.encoder]
    assert shares == [[], [0.2, 0.2], [0.4, 0.4]]


def test_layer_scale_starts_at_its_number_in_front_of_both_sums_of_each_block() -> None:
    model = Vit(replace(SMALL, layer_scale=0.01))
    scales = [module for module in model.modules() if isinstance(module, LayerScale)]
    assert len(scales) == 2 * 3
    assert all(torch.equal(scale.scale_D, torch.full((8,), 0.01)) for scale in scales)


def test_without_a_bias_queries_keys_and_values_have_none_and_the_output_still_has_one() -> None:
    model = Vit(replace(SMALL, qkv_bias=False))
    assert all(block.attention.project.bias is None for block in model.encoder)
    assert all(block.attention.output.bias is not None for block in model.encoder)


def test_every_norm_has_the_epsilon_of_the_settings() -> None:
    model = Vit(replace(SMALL, epsilon=0.125))
    assert {module.eps for module in model.modules() if isinstance(module, nn.LayerNorm)} == {0.125}


def test_a_trace_finds_the_attention_of_every_block_over_cls_registers_and_patches() -> None:
    model, trace = ImageClassifier(replace(SMALL, registers=2), 5), Trace()
    assert model(pictures(), trace).shape == (2, 5)
    assert list(trace.weights) == model.sites == [f"encoder.{layer}.self" for layer in range(3)]
    assert all(weights.shape == (2, 2, 12, 12) for weights in trace.weights.values())


def test_where_only_cls_is_read_only_cls_goes_through_the_end_of_the_last_block() -> None:
    model = Vit(replace(SMALL, pooling="first", registers=2)).eval()
    rows = []
    model.encoder[-1].feedforward.register_forward_hook(lambda _, inputs, output: rows.append(output.shape[1]))
    alone, whole = Trace(), Trace()
    torch.testing.assert_close(model(pictures(), alone), model.hidden(pictures(), whole)[:, 0])
    assert rows == [1, 12]
    assert all(torch.equal(alone.weights[site], weights) for site, weights in whole.weights.items())


def test_what_lies_below_the_blocks_is_frozen_with_them_and_learns_most_slowly() -> None:
    model = ImageClassifier(replace(SMALL, registers=2), 5)
    shares = rate_shares(model, decay=0.5)
    below = {name for name, share in shares.items() if share == 0.5**4}
    assert below == {name for name in shares if name.startswith("encoder.embedding.")}
    assert {"encoder.embedding.first_D", "encoder.embedding.registers_RD"} < below
    freeze(model, 1)
    frozen = {name for name, parameter in model.named_parameters() if not parameter.requires_grad}
    assert frozen == below | {name for name in shares if name.startswith("encoder.encoder.0.")}


@pytest.mark.parametrize("shape", [(1, 3, 16, 16), (1, 3, 12, 8), (1, 1, 12, 12)])
def test_a_picture_of_another_size_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(DataError, match=rf"Pictures of \({shape[1]}, {shape[2]}, {shape[3]}\).*\(3, 12, 12\)"):
        Vit(SMALL)(torch.zeros(shape))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"image": 100, "patch": 16}, "image is 100, model.patch is 16: 4 pixels.*image=96 or 112"),
        ({"image": 5, "patch": 8}, "image is 5, model.patch is 8: 5 pixels.*image=8,"),
        ({"image": 0}, "model.image is 0"),
        ({"patch": 0}, "model.patch is 0"),
        ({"layers": 0}, "model.layers is 0"),
        ({"width": 190}, "model.width is 190, model.heads is 3"),
        ({"drop_path": 1.0}, "model.drop_path is 1.0"),
        ({"registers": -1}, "model.registers is -1"),
        ({"layer_scale": 0.0}, "model.layer_scale is 0.0"),
        ({"layer_scale": 2.0}, "model.layer_scale is 2.0"),
        ({"epsilon": 0.0}, "model.epsilon is 0.0"),
        ({"image": 60, "patch": 6, "stem": "convolutional"}, "model.patch is 6, but model.stem=convolutional"),
        ({"image": 60, "patch": 6, "stem": "residual"}, "model.patch is 6, but model.stem=residual halves"),
        ({"patch": 1, "stem": "convolutional"}, "model.patch is 1, but model.stem=convolutional"),
    ],
)
def test_settings_from_which_no_model_can_be_built_are_refused_by_name(
    changed: dict[str, object], message: str
) -> None:
    with pytest.raises(SettingsError, match=message):
        VitSettings(**changed)  # type: ignore[arg-type]


def test_many_blocks_add_no_more_at_first_than_few() -> None:
    """What reaches the last norm is as much the patches' own in a deep model as in a flat one."""
    added = []
    for layers in (1, 12):
        torch.manual_seed(5)
        model = Vit(VitSettings(image=32, patch=8, width=64, heads=4, layers=layers, feedforward=128)).eval()
        x_BTD, keep = model.embedding(pictures(4, 32)), torch.ones(4, 17, dtype=torch.bool)
        y_BTD = x_BTD
        for block in model.encoder:
            y_BTD = block(y_BTD, keep, None)
        added.append((y_BTD - x_BTD).std().item())
    assert added[1] < 1.5 * added[0]
