"""The models that every law is put to: each switch of each family at least once, in tiny sizes, all different.

Weights are shaken after they are made: a bias that starts at zero, or a norm at one, would hide a mistake.
"""

import functools
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path

import pytest
import torch
from torch import Tensor

from heed.layers.masks import keep_from_lengths
from heed.models.rnn_seq2seq import RnnSettings
from heed.models.seq2seq import Seq2Seq, Seq2SeqSettings, build_seq2seq
from heed.models.transformer import TransformerSettings

sys.path.insert(0, str(Path(__file__).parent))  # for this folder and those below it
from shaking import shake

TRANSFORMER = TransformerSettings(
    width=8, heads=2, encoder_layers=1, decoder_layers=2, feedforward=12, dropout=0.3, longest=20
)
RNN = RnnSettings(width=8, attention="scaled", dropout=0.3, longest=20)
SCORES = ("scaled", "dot", "general", "cosine", "additive", "location")


def transformers() -> list[Seq2SeqSettings]:
    """Return the Transformer in every switch, and in the pairs of switches that meet inside one attention or block."""
    return [
        TRANSFORMER,
        *(replace(TRANSFORMER, score=score) for score in SCORES[1:]),
        *(replace(TRANSFORMER, positions=name) for name in ("sinusoid-concat", "learned", "rotary", "none")),
        *(replace(TRANSFORMER, positions="rotary", score=score) for score in SCORES[1:]),
        *(replace(TRANSFORMER, norm=norm) for norm in ("batch", "rms", "none")),
        *(replace(TRANSFORMER, norm=norm, norm_place="after") for norm in ("layer", "batch", "rms", "none")),
        *(replace(TRANSFORMER, activation=name) for name in ("elu", "gelu", "gelu-tanh", "swish", "swiglu")),
        *(replace(TRANSFORMER, residual=False, norm_place=place) for place in ("before", "after")),
        *(replace(TRANSFORMER, tie=tie) for tie in ("output", "none")),
        replace(TRANSFORMER, dropout=0.0),
        *(replace(TRANSFORMER, dropout=0.0, attention_dropout=0.4, score=score) for score in ("scaled", "additive")),
    ]


def recurrent_models() -> list[Seq2SeqSettings]:
    """Return the recurrent models: every cell in every shape, every attention in both orders, every tie."""
    shapes = [(layers, bidirectional) for layers in (1, 2) for bidirectional in (True, False)]
    return [
        replace(RNN, dropout=0.0),
        *(
            replace(RNN, cell=cell, layers=n, bidirectional=both)
            for cell in ("rnn", "lstm", "gru")
            for n, both in shapes
        ),
        *(replace(RNN, attention=attention) for attention in (*SCORES[1:], "none")),
        *(replace(RNN, attention=attention, order="bahdanau") for attention in SCORES),
        *(replace(RNN, cell=cell, layers=2, order="bahdanau", attention="additive") for cell in ("rnn", "gru")),
        *(replace(RNN, cell=cell, layers=2, attention="none") for cell in ("rnn", "gru")),
        *(replace(RNN, tie=tie) for tie in ("output", "none")),
    ]


def name_of(settings: Seq2SeqSettings) -> str:
    """Return what sets a variant apart from the first of its family."""
    base = TRANSFORMER if isinstance(settings, TransformerSettings) else RNN
    values = [(field.name, getattr(settings, field.name), getattr(base, field.name)) for field in fields(base)]
    return " ".join([settings.kind, *(f"{name}={own}" for name, own, usual in values if own != usual)])


VARIANTS = [*transformers(), *recurrent_models()]


@dataclass(frozen=True)
class Case:
    """One batch for one model. Lengths differ from row to row, and one row on each side has a single token."""

    source_ids: Tensor  # (3, 7)
    source_keep: Tensor
    target_ids: Tensor  # (3, 5)
    target_keep: Tensor

    @property
    def inputs(self) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return what `forward` takes."""
        return self.source_ids, self.source_keep, self.target_ids, self.target_keep


def sizes_of(settings: Seq2SeqSettings) -> tuple[int, int]:
    """Return the sizes of the two vocabularies: different wherever that is allowed."""
    return (13, 13) if settings.tie == "all" else (13, 11)


def shaken(settings: Seq2SeqSettings, seed: int, dtype: torch.dtype) -> Seq2Seq:
    """Return a model in evaluation mode with no weight at a special value."""
    torch.manual_seed(seed)
    model = build_seq2seq(settings, *sizes_of(settings)).eval().to(dtype)
    shake(model)
    return model


@pytest.fixture
def variants() -> list[Seq2SeqSettings]:
    """Return all variants."""
    return VARIANTS


@pytest.fixture(params=VARIANTS, ids=name_of)
def settings(request: pytest.FixtureRequest) -> Seq2SeqSettings:
    """Return the settings of one variant."""
    return request.param


@pytest.fixture
def dtype() -> torch.dtype:
    """Return the precision; a law may ask for others. In float64 a small leak cannot hide behind rounding."""
    return torch.float64


@pytest.fixture
def make_model(settings: Seq2SeqSettings) -> Callable[..., Seq2Seq]:
    """Return a maker of models of this variant, each seed with other weights."""
    return lambda seed, dtype=torch.float64: shaken(settings, seed, dtype)


@functools.cache
def shared_model(settings: Seq2SeqSettings, dtype: torch.dtype) -> Seq2Seq:
    """Return a model that many laws look at and none changes."""
    return shaken(settings, seed=5, dtype=dtype)


@pytest.fixture
def model(settings: Seq2SeqSettings, dtype: torch.dtype) -> Seq2Seq:
    """Return the model of this variant."""
    return shared_model(settings, dtype)


@pytest.fixture
def same(dtype: torch.dtype) -> Callable[[Tensor, Tensor], None]:
    """Return the comparison: equal up to the rounding of the precision, seen against the largest number."""
    tolerance = 1e-5 if dtype == torch.float32 else 1e-12

    def compare(actual: Tensor, expected: Tensor) -> None:
        size = max(1.0, expected.abs().max().item()) if expected.numel() else 1.0
        torch.testing.assert_close(actual, expected, atol=tolerance * size, rtol=0.0)

    return compare


@pytest.fixture
def case(settings: Seq2SeqSettings) -> Case:
    """Return a batch; what stands in the padding is random too, because nothing may read it."""
    generator = torch.Generator().manual_seed(3)
    source_size, target_size = sizes_of(settings)
    return Case(
        torch.randint(source_size, (3, 7), generator=generator),
        keep_from_lengths(torch.tensor([7, 1, 4]), 7),
        torch.randint(target_size, (3, 5), generator=generator),
        keep_from_lengths(torch.tensor([3, 5, 1]), 5),
    )


@pytest.fixture(autouse=True)
def _no_graph(request: pytest.FixtureRequest) -> object:
    """Run every law without autograd, except those that ask for gradients."""
    with torch.set_grad_enabled("gradient" in request.node.name):
        yield
