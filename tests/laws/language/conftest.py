"""The language models that every law is put to: each switch of each family at least once, in tiny sizes.

As for the other laws, weights are shaken after they are made. Fixtures of the same names stand in for those of the
folder above; `same` and `dtype` are its own.
"""

from dataclasses import dataclass, fields, replace

import pytest
import torch
from torch import Tensor
from variant_fixtures import fixtures_of

from heed.layers.masks import keep_from_lengths
from heed.models.language import LanguageSettings, build_language_model
from heed.models.language_rnn import LanguageRnnSettings
from heed.models.language_transformer import LanguageTransformerSettings

TRANSFORMER = LanguageTransformerSettings(
    width=8, heads=2, layers=2, feedforward=12, dropout=0.3, positions="learned", longest=9
)
RNN = LanguageRnnSettings(embedding=6, width=8, dropout=0.3, longest=9)
SCORES = ("scaled", "dot", "general", "cosine", "additive", "location")
VOCABULARY = 13


def transformers() -> list[LanguageSettings]:
    """Return the Transformer in every switch, and in the pairs of switches that meet inside one attention or block."""
    return [
        TRANSFORMER,
        *(replace(TRANSFORMER, score=score) for score in SCORES[1:]),
        *(replace(TRANSFORMER, positions=name) for name in ("sinusoid", "sinusoid-concat", "rotary", "none")),
        *(replace(TRANSFORMER, positions="rotary", score=score) for score in SCORES[1:]),
        *(replace(TRANSFORMER, norm=norm) for norm in ("batch", "rms", "none")),
        *(replace(TRANSFORMER, norm=norm, norm_place="after") for norm in ("layer", "batch", "rms", "none")),
        *(replace(TRANSFORMER, activation=name) for name in ("relu", "elu", "gelu-tanh", "swish", "swiglu")),
        *(replace(TRANSFORMER, residual=False, norm_place=place) for place in ("before", "after")),
        *(replace(TRANSFORMER, tie=False, output_bias=bias) for bias in (True, False)),
        replace(TRANSFORMER, output_bias=False, scale_embedding=False, activation="gelu-tanh"),
        replace(TRANSFORMER, dropout=0.0),
        *(replace(TRANSFORMER, dropout=0.0, attention_dropout=0.4, score=score) for score in ("scaled", "additive")),
    ]


def recurrent_models() -> list[LanguageSettings]:
    """Return the recurrent models: every cell in every depth, tied and not."""
    return [
        *(replace(RNN, cell=cell, layers=layers) for cell in ("rnn", "lstm", "gru") for layers in (1, 2)),
        replace(RNN, embedding=8, tie=True),
        replace(RNN, dropout=0.0),
    ]


VARIANTS = [*transformers(), *recurrent_models()]


def name_of(settings: LanguageSettings) -> str:
    """Return what sets a variant apart from the first of its family."""
    base = TRANSFORMER if isinstance(settings, LanguageTransformerSettings) else RNN
    values = [(field.name, getattr(settings, field.name), getattr(base, field.name)) for field in fields(base)]
    return " ".join([settings.kind, *(f"{name}={own}" for name, own, usual in values if own != usual)])


@dataclass(frozen=True)
class Case:
    """One batch of texts. Lengths differ from row to row, and one row has a single token."""

    token_ids: Tensor  # (3, 6)
    keep: Tensor


variants, settings, make_model, model = fixtures_of(
    VARIANTS, name_of, lambda own: build_language_model(own, VOCABULARY)
)


@pytest.fixture
def case() -> Case:
    """Return a batch; what stands in the padding is random too, because nothing may read it."""
    generator = torch.Generator().manual_seed(3)
    token_ids = torch.randint(VOCABULARY, (3, 6), generator=generator)
    return Case(token_ids, keep_from_lengths(torch.tensor([6, 1, 4]), 6))
