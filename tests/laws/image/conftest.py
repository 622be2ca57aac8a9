"""The image classifiers that every law of pictures is put to: each switch at least once, in tiny sizes.

As for the other laws, weights are shaken after they are made. Fixtures of the same names stand in for those of the
folder above; `same` and `dtype` are its own.
"""

from dataclasses import fields, replace

import pytest
import torch
from torch import Tensor
from variant_fixtures import fixtures_of

from heed.models.vit import ImageClassifier, VitSettings

VIT = VitSettings(image=12, patch=4, width=8, heads=2, layers=2, feedforward=10, dropout=0.3, drop_path=0.0)
OUTPUTS = 3
VARIANTS = [
    VIT,
    *(replace(VIT, pooling=name) for name in ("mean", "both")),
    *(replace(VIT, positions=name) for name in ("sinusoid", "none")),
    *(replace(VIT, pooling="mean", positions=name) for name in ("sinusoid", "none")),
    *(replace(VIT, stem=name) for name in ("overlapping", "convolutional", "residual")),
    # Registers stand between what each pooling reads.
    *(replace(VIT, registers=2, pooling=name) for name in ("first", "mean", "both")),
    *(replace(VIT, activation=name) for name in ("gelu-tanh", "relu", "swiglu")),
    replace(VIT, layer_scale=0.1),
    replace(VIT, layer_scale=0.1, drop_path=0.4, dropout=0.0),
    replace(VIT, qkv_bias=False),
    replace(VIT, image=15, patch=3),
    replace(VIT, dropout=0.0),
    replace(VIT, dropout=0.0, attention_dropout=0.4),
    replace(VIT, dropout=0.0, drop_path=0.6),
]


def name_of(settings: VitSettings) -> str:
    """Return what sets a variant apart from the first."""
    differing = [field.name for field in fields(VIT) if getattr(settings, field.name) != getattr(VIT, field.name)]
    return " ".join([settings.kind, *(f"{name}={getattr(settings, name)}" for name in differing)])


variants, settings, make_model, model = fixtures_of(VARIANTS, name_of, lambda own: ImageClassifier(own, OUTPUTS))


@pytest.fixture
def images(settings: VitSettings, dtype: torch.dtype) -> Tensor:
    """Return three pictures for this variant."""
    shape = (3, 3, settings.image, settings.image)
    return torch.randn(shape, generator=torch.Generator().manual_seed(3), dtype=torch.float64).to(dtype)
