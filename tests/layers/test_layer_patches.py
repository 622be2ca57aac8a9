"""Patches: where each pixel goes, and what each way from pixels to vectors sees."""

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from heed.layers.patches import ConvolutionalStem, OverlappingPatches, PatchEmbedding, ResidualStem, to_patches

STEMS = [PatchEmbedding, OverlappingPatches, ConvolutionalStem, ResidualStem]


def seen_by(stem: nn.Module, images: Tensor, patch_number: int) -> Tensor:
    """Return (height, width): which pixels move the vector of one patch."""
    images = images.clone().requires_grad_()
    stem(images)[:, patch_number].square().sum().backward()
    assert images.grad is not None
    return images.grad.abs().amax(dim=(0, 1)) > 1e-9


def shaken(stem: nn.Module) -> nn.Module:
    """Return the stem with other weights, for some begin at zero and would hide what they do."""
    for parameter in stem.parameters():
        nn.init.normal_(parameter, std=0.3)
    return stem


def test_patches_stand_row_by_row_and_their_pixels_by_channel_row_and_column() -> None:
    images = torch.arange(3 * 4 * 6).view(1, 3, 4, 6)
    patches = to_patches(images, 2)
    assert patches.shape == (1, 2 * 3, 3 * 2 * 2)
    # The second row of patches, the third in it: pixels (2..3, 4..5) of each channel.
    assert patches[0, 5].tolist() == images[0, :, 2:4, 4:6].flatten().tolist()
    assert patches[0, 0, :4].tolist() == [0, 1, 6, 7]


def test_a_picture_of_224_in_patches_of_16_has_196_patches_of_768_numbers() -> None:
    assert to_patches(torch.zeros(1, 3, 224, 224), 16).shape == (1, 196, 768)


@pytest.mark.parametrize("patch", [2, 3, 4])
def test_the_product_of_patches_is_a_convolution_with_the_stride_of_the_patch(patch: int) -> None:
    torch.manual_seed(1)
    stem, images = PatchEmbedding(patch, 5), torch.randn(2, 3, 12, 12)
    kernel = stem.project.weight.view(5, 3, patch, patch)
    expected = functional.conv2d(images, kernel, stem.project.bias, stride=patch).flatten(2).mT
    torch.testing.assert_close(stem(images), expected)


@pytest.mark.parametrize("stem_class", STEMS)
@pytest.mark.parametrize(("side", "patch"), [(8, 2), (12, 4), (16, 8)])
def test_every_stem_has_one_vector_for_each_patch(stem_class: type[nn.Module], side: int, patch: int) -> None:
    assert stem_class(patch, 6)(torch.randn(2, 3, side, side)).shape == (2, (side // patch) ** 2, 6)


def test_overlapping_patches_of_an_odd_side_have_one_vector_for_each_too() -> None:
    assert OverlappingPatches(5, 7)(torch.randn(2, 3, 15, 15)).shape == (2, 9, 7)


def test_a_patch_sees_itself_alone_and_an_overlapping_one_half_of_its_neighbours() -> None:
    torch.manual_seed(2)
    images, middle = torch.randn(1, 3, 12, 12), 4
    alone = seen_by(PatchEmbedding(4, 6), images, middle)
    assert alone.sum() == 4 * 4
    assert alone[4:8, 4:8].all()
    overlapping = seen_by(OverlappingPatches(4, 6), images, middle)
    assert overlapping.sum() == 8 * 8
    assert overlapping[2:10, 2:10].all()


@pytest.mark.parametrize(
    ("stem_class", "moved"),
    [(PatchEmbedding, [6]), (OverlappingPatches, [1, 2, 3, 5, 6, 7, 9, 10, 11]), (ConvolutionalStem, [6, 7, 10, 11])],
)
def test_the_vector_of_a_patch_stands_where_the_patch_does(stem_class: type[nn.Module], moved: list[int]) -> None:
    torch.manual_seed(3)
    stem = stem_class(4, 6)
    if isinstance(stem, ConvolutionalStem):
        for part in stem.convolutions:
            part[1] = nn.Identity()  # the norm lets every place feel all others a little
    dark, lit = torch.zeros(1, 3, 16, 16), torch.zeros(1, 3, 16, 16)
    lit[:, :, 4:8, 8:12] = 1.0  # second row, third column of four
    change_P = (stem(lit) - stem(dark)).abs().sum(dim=(0, 2))
    assert change_P.nonzero().flatten().tolist() == moved


@pytest.mark.parametrize("stem_class", [ConvolutionalStem, ResidualStem])
def test_a_picture_among_convolutions_does_not_depend_on_its_companions(stem_class: type[nn.Module]) -> None:
    torch.manual_seed(4)
    stem, images = shaken(stem_class(4, 6)).train(), torch.randn(3, 3, 8, 8)
    torch.testing.assert_close(stem(images)[1:2], stem(images[1:2]))


def test_a_convolutional_stem_halves_as_often_as_the_patch_asks_and_doubles_its_channels() -> None:
    stem = ConvolutionalStem(16, 48)
    channels = [layer.out_channels for layer in stem.modules() if isinstance(layer, nn.Conv2d)]
    assert channels == [6, 12, 24, 48, 48]  # four times 3 x 3 with stride 2, then 1 x 1


def test_a_residual_stem_begins_as_a_convolutional_one_and_then_looks_closer() -> None:
    torch.manual_seed(5)
    residual, plain, images = ResidualStem(8, 16), ConvolutionalStem(8, 16), torch.randn(2, 3, 16, 16)
    halvings = [part for part in residual.convolutions if isinstance(part, nn.Sequential)]
    plain.convolutions = nn.Sequential(*halvings)
    plain.project = residual.project
    assert len(halvings) == 3 and len(residual.convolutions) == 3 + 2  # none after the first halving
    torch.testing.assert_close(residual(images), plain(images))
    shaken(residual)
    assert not torch.allclose(residual(images), plain(images))
