"""Pictures as sequences: squares of P x P pixels (patches), each a vector, row by row (Dosovitskiy et al. 2021, eq. 1).

Four ways from pixels to vectors, all with one vector for each P x P pixels:

    PatchEmbedding       one product, each patch by itself
    OverlappingPatches   one convolution: each patch sees half of its neighbours too
    ConvolutionalStem    a few 3 x 3 convolutions with stride 2 (Xiao et al. 2021)
    ResidualStem         between those, pairs of convolutions that look closer

A batch of 32 pictures to vectors of 192, forward and backward on one thread:

    side and P              64, 4     64, 8     96, 8    96, 16
    conv2d                 9.0 ms    4.6 ms    9.3 ms    9.4 ms
    conv2d, channels last  6.7 ms    4.5 ms    9.3 ms   11.4 ms
    copy, product          5.7 ms    4.2 ms    9.8 ms    8.7 ms    patches side by side, then one product: used here
"""

from itertools import pairwise

from torch import Tensor, nn

CHANNELS = 3  # red, green, blue


class PatchEmbedding(nn.Module):
    """A linear projection of each patch."""

    def __init__(self, patch: int, width: int) -> None:
        super().__init__()
        self.patch = patch
        self.project = nn.Linear(CHANNELS * patch * patch, width)

    def forward(self, images: Tensor) -> Tensor:
        """Return (B, P, D)."""
        return self.project(to_patches(images, self.patch))


class OverlappingPatches(nn.Module):
    """A linear projection of each patch with a rim of half a patch around it; zeros are outside of the picture."""

    def __init__(self, patch: int, width: int) -> None:
        super().__init__()
        rim = patch // 2
        self.project = nn.Conv2d(CHANNELS, width, patch + 2 * rim, stride=patch, padding=rim)

    def forward(self, images: Tensor) -> Tensor:
        """Return (B, P, D)."""
        return row_by_row(self.project(images))


class ConvolutionalStem(nn.Module):
    """Convolutions that each halve the sides and double the channels, then a product of each place by itself.

    The paper has batch norm; the norm here is over one picture, so that none depends on its companions.
    """

    def __init__(self, patch: int, width: int) -> None:
        super().__init__()
        self.convolutions = nn.Sequential(*(_halving(*pair) for pair in pairwise(_channels(patch, width))))
        self.project = nn.Conv2d(width, width, kernel_size=1)

    def forward(self, images: Tensor) -> Tensor:
        """Return (B, P, D)."""
        return row_by_row(self.project(self.convolutions(images)))


class ResidualStem(nn.Module):
    """A convolutional stem that looks again at every size but the first, which costs most and shows least."""

    def __init__(self, patch: int, width: int) -> None:
        super().__init__()
        first, *others = pairwise(_channels(patch, width))
        parts: list[nn.Module] = [_halving(*first)]
        for pair in others:
            parts += [_halving(*pair), _LookAgain(pair[1])]
        self.convolutions = nn.Sequential(*parts)
        self.project = nn.Conv2d(width, width, kernel_size=1)

    def forward(self, images: Tensor) -> Tensor:
        """Return (B, P, D)."""
        return row_by_row(self.project(self.convolutions(images)))


class _LookAgain(nn.Module):
    """Two convolutions whose result is added to what they read (He et al. 2016); at first it is nothing."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        convolutions = [nn.Conv2d(channels, channels, kernel_size=3, padding=1, bias=False) for _ in range(2)]
        nn.init.kaiming_normal_(convolutions[0].weight, nonlinearity="relu")
        nn.init.zeros_(convolutions[1].weight)
        norms = [nn.GroupNorm(1, channels) for _ in range(2)]
        self.change = nn.Sequential(norms[0], convolutions[0], nn.ReLU(), norms[1], convolutions[1])

    def forward(self, features: Tensor) -> Tensor:
        """Return the features (B, C, rows, columns) with what was seen around each place."""
        return features + self.change(features)


def to_patches(images: Tensor, patch: int) -> Tensor:
    """Return (B, P, 3 * patch * patch): the pixels of each patch by channel, row and column; patches row by row."""
    batch, channels, height, width = images.shape
    rows, columns = height // patch, width // patch
    cut = images.reshape(batch, channels, rows, patch, columns, patch)
    return cut.permute(0, 2, 4, 1, 3, 5).reshape(batch, rows * columns, channels * patch * patch)


def row_by_row(features: Tensor) -> Tensor:
    """Return (B, P, D): the places of a (B, D, rows, columns) picture one after the other."""
    return features.flatten(2).mT


def halvings(patch: int) -> int:
    """Return how often a side must be halved so that one pixel is left of each patch."""
    return patch.bit_length() - 1


def _channels(patch: int, width: int) -> list[int]:
    """Return the channels of the picture and of each of its halvings; the last are as many as a vector has numbers."""
    steps = halvings(patch)
    return [CHANNELS, *(max(1, width >> (steps - 1 - step)) for step in range(steps))]


def _halving(inputs: int, outputs: int) -> nn.Sequential:
    convolution = nn.Conv2d(inputs, outputs, kernel_size=3, stride=2, padding=1, bias=False)
    nn.init.kaiming_normal_(convolution.weight, nonlinearity="relu")
    return nn.Sequential(convolution, nn.GroupNorm(1, outputs), nn.ReLU())
