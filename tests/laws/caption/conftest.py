"""The captioners that every law is put to: both decoders, each switch at least once, in tiny sizes, all different.

As for the other laws, weights are shaken after they are made. Fixtures of the same names stand in for those of the
folder above; `same` and `dtype` are its own.
"""

from dataclasses import dataclass, fields, replace

import pytest
import torch
from torch import Tensor
from variant_fixtures import fixtures_of

from heed.layers.masks import keep_from_lengths
from heed.models.captioner import (
    CaptionerSettings,
    RnnCaptionerSettings,
    TransformerCaptionerSettings,
    build_captioner,
)
from heed.models.vit import VitSettings

# 2 x 2 patches and [CLS]; wider than the decoders, so that the bridge between them is there.
VIT = VitSettings(image=6, patch=3, width=10, heads=2, layers=1, feedforward=14, dropout=0.2, drop_path=0.0)
TRANSFORMER = TransformerCaptionerSettings(
    encoder=VIT, width=8, heads=2, layers=2, feedforward=12, dropout=0.3, longest=20
)
RNN = RnnCaptionerSettings(encoder=VIT, width=8, attention="scaled", dropout=0.3, longest=20)
SCORES = ("scaled", "dot", "general", "cosine", "additive", "location")
WORDS = 11


def encoders() -> list[VitSettings]:
    """Return the encoders that differ in how many vectors they hand over, and in their width."""
    return [replace(VIT, pooling="mean"), replace(VIT, registers=2), replace(VIT, width=8, dropout=0.0)]


def transformers() -> list[CaptionerSettings]:
    """Return the Transformer in every switch."""
    return [
        TRANSFORMER,
        *(replace(TRANSFORMER, encoder=encoder) for encoder in encoders()),
        *(replace(TRANSFORMER, score=score) for score in SCORES[1:]),
        *(replace(TRANSFORMER, positions=name) for name in ("sinusoid-concat", "learned", "rotary", "none")),
        *(replace(TRANSFORMER, norm=norm) for norm in ("batch", "rms", "none")),
        *(replace(TRANSFORMER, norm=norm, norm_place="after") for norm in ("layer", "batch")),
        *(replace(TRANSFORMER, activation=name) for name in ("relu", "elu", "gelu-tanh", "swish", "swiglu")),
        replace(TRANSFORMER, residual=False),
        replace(TRANSFORMER, encoder=replace(VIT, dropout=0.0), dropout=0.0),
        replace(TRANSFORMER, encoder=replace(VIT, dropout=0.0), dropout=0.0, attention_dropout=0.4),
    ]


def recurrent_models() -> list[CaptionerSettings]:
    """Return the recurrent captioners: every cell in two depths, every attention in both orders."""
    return [
        *(replace(RNN, cell=cell, layers=layers) for cell in ("rnn", "lstm", "gru") for layers in (1, 2)),
        *(replace(RNN, encoder=encoder) for encoder in encoders()),
        *(replace(RNN, attention=attention) for attention in (*SCORES[1:], "none")),
        *(replace(RNN, attention=attention, order="bahdanau") for attention in SCORES),
        replace(RNN, cell="gru", layers=2, attention="none"),
        replace(RNN, encoder=replace(VIT, dropout=0.0), dropout=0.0),
    ]


VARIANTS = [*transformers(), *recurrent_models()]


def name_of(settings: CaptionerSettings) -> str:
    """Return what sets a variant apart from the first of its family."""
    base = TRANSFORMER if isinstance(settings, TransformerCaptionerSettings) else RNN
    encoder = differing(settings.encoder, VIT)
    return " ".join([settings.kind, *(f"encoder.{each}" for each in encoder), *differing(settings, base)])


def differing(settings: object, base: object) -> list[str]:
    """Return the fields in which two settings of a class differ, nested ones left out."""
    names = [field.name for field in fields(base) if field.name != "encoder"]  # type: ignore[arg-type]
    return [f"{name}={own}" for name in names if (own := getattr(settings, name)) != getattr(base, name)]


@dataclass(frozen=True)
class Case:
    """Three pictures and their captions: lengths differ from row to row, and one has a single token."""

    images: Tensor  # (3, 3, 6, 6)
    target_ids: Tensor  # (3, 5)
    target_keep: Tensor

    @property
    def inputs(self) -> tuple[Tensor, Tensor, Tensor]:
        """Return what `forward` takes."""
        return self.images, self.target_ids, self.target_keep


variants, settings, make_model, model = fixtures_of(VARIANTS, name_of, lambda own: build_captioner(own, WORDS))


@pytest.fixture
def case(dtype: torch.dtype) -> Case:
    """Return a batch; what stands in the padding is random too, because nothing may read it."""
    generator = torch.Generator().manual_seed(3)
    return Case(
        torch.randn((3, 3, 6, 6), generator=generator, dtype=torch.float64).to(dtype),
        torch.randint(WORDS, (3, 5), generator=generator),
        keep_from_lengths(torch.tensor([3, 5, 1]), 5),
    )
