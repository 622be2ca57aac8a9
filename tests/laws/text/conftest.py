"""The classifiers that every law of text is put to: each switch of each family at least once, in tiny sizes.

As for the other laws, weights are shaken after they are made. Fixtures of the same names stand in for those of the
folder above; `same` and `dtype` are its own.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass, fields, replace

import pytest
import torch
from shaking import shake
from torch import Tensor

from heed.layers.masks import keep_from_lengths
from heed.models.bert import BertSettings
from heed.models.encoder import EncoderSettings
from heed.models.text_classifier import TextClassifier, TextClassifierSettings
from heed.models.text_cnn import TextCnnSettings
from heed.models.text_input import TextInput
from heed.models.text_rnn import TextRnnSettings

ENCODER = EncoderSettings(width=8, heads=2, layers=2, feedforward=12, dropout=0.3, longest=20)
RNN = TextRnnSettings(embedding=6, width=8, dropout=0.3, longest=20)
CNN = TextCnnSettings(embedding=6, widths=(3, 1, 2), filters=30, dropout=0.3, longest=20)
BERT = BertSettings(width=8, heads=2, layers=2, feedforward=12, dropout=0.3, longest=20, epsilon=1e-6)
SCORES = ("scaled", "dot", "general", "cosine", "additive", "location")
VOCABULARY, OUTPUTS = 13, 3


@dataclass(frozen=True)
class Variant:
    """One model to be tried."""

    settings: TextClassifierSettings
    towers: bool = False


def encoders() -> list[EncoderSettings]:
    """Return the encoder in every switch, and in the pairs of switches that meet in one place."""
    first, attention = replace(ENCODER, pooling="first"), replace(ENCODER, pooling="attention")
    return [
        ENCODER,
        *(replace(ENCODER, score=score) for score in SCORES[1:]),
        *(replace(ENCODER, positions=name) for name in ("sinusoid", "sinusoid-concat", "learned", "none")),
        *(replace(ENCODER, norm=norm) for norm in ("batch", "rms", "none")),
        *(replace(ENCODER, norm=norm, norm_place="after") for norm in ("layer", "batch", "rms", "none")),
        *(replace(ENCODER, activation=name) for name in ("elu", "gelu", "gelu-tanh", "swish", "swiglu")),
        *(replace(ENCODER, residual=False, norm_place=place) for place in ("before", "after")),
        replace(ENCODER, pooling="max"),
        first,
        # The vector in front takes a place of its own in each of these.
        *(replace(first, positions=name) for name in ("sinusoid", "learned", "none")),
        replace(first, score="location"),
        replace(first, norm="batch"),
        *(replace(attention, score=score) for score in SCORES),
        *(replace(each, segments=2) for each in (ENCODER, first)),
        replace(ENCODER, dropout=0.0),
        *(replace(ENCODER, dropout=0.0, attention_dropout=0.4, score=score) for score in ("scaled", "additive")),
    ]


def recurrent_models() -> list[TextRnnSettings]:
    """Return the recurrent models: every cell in every shape, every pooling of either, every score."""
    cells = [(cell, n, both) for cell in ("rnn", "lstm", "gru") for n in (1, 2) for both in (True, False)]
    gru = replace(RNN, cell="gru")
    return [
        RNN,
        *(replace(RNN, cell=cell, layers=n, bidirectional=both, pooling="last") for cell, n, both in cells),
        *(replace(gru, bidirectional=both, pooling="mean") for both in (True, False)),
        # Wide enough that every word is the largest in some number: the others do not learn from this text.
        replace(gru, bidirectional=False, pooling="max", width=24),
        *(replace(gru, pooling="attention", score=score) for score in SCORES),
        replace(RNN, dropout=0.0),
    ]


def convolutional_models() -> list[TextCnnSettings]:
    """Return the convolutional models: a single word at a time, windows longer than any text, n-grams beside them."""
    return [
        CNN,
        *(replace(CNN, widths=widths) for widths in ((1,), (2, 9), (5,))),
        *(replace(CNN, bag=3, bag_rows=rows) for rows in (7, 4001)),
        replace(CNN, dropout=0.0),
    ]


def berts() -> list[BertSettings]:
    """Return BERT in every switch."""
    return [
        BERT,
        *(replace(BERT, segments=count) for count in (0, 1)),
        *(replace(BERT, activation=name) for name in ("gelu-tanh", "relu")),
        *(replace(BERT, pooling=name) for name in ("mean", "max")),
        *(replace(BERT, pooler=name) for name in ("relu", "none")),
        replace(BERT, dropout=0.0, attention_dropout=0.4),
    ]


def towers() -> list[TextClassifierSettings]:
    """Return those that are also tried on two texts."""
    attention = {"pooling": "attention"}
    return [
        ENCODER,
        replace(ENCODER, **attention),
        replace(ENCODER, pooling="first"),
        replace(RNN, **attention),
        RNN,
        CNN,
        replace(CNN, bag=3, bag_rows=101),
        BERT,
    ]


VARIANTS = [
    *(Variant(settings) for settings in (*encoders(), *recurrent_models(), *convolutional_models(), *berts())),
    *(Variant(settings, towers=True) for settings in towers()),
]


def name_of(variant: Variant) -> str:
    """Return what sets a variant apart from the first of its family."""
    own = variant.settings
    base = next(each for each in (ENCODER, RNN, CNN, BERT) if isinstance(own, type(each)))
    differing = [field.name for field in fields(base) if getattr(own, field.name) != getattr(base, field.name)]
    switches = (f"{name}={getattr(own, name)}" for name in differing)
    return " ".join([own.kind, *switches, *(["towers"] if variant.towers else [])])


@dataclass(frozen=True)
class Case:
    """One batch: a text for each row, or two. Lengths differ from row to row, and one row has a single token."""

    texts: tuple[TextInput, ...]

    def changed(self, change: Callable[[TextInput], TextInput]) -> tuple[TextInput, ...]:
        """Return the texts with the same done to each."""
        return tuple(change(text) for text in self.texts)

    def rows(self, rows: Tensor) -> tuple[TextInput, ...]:
        """Return the texts of some rows, in their order."""
        return self.changed(lambda text: taken(text, rows))

    def alone(self, row: int) -> tuple[TextInput, ...]:
        """Return the texts of one row without padding."""
        return self.changed(lambda text: taken(text, torch.tensor([row]), int(text.keep[row].sum())))


def taken(text: TextInput, rows: Tensor, width: int | None = None) -> TextInput:
    """Return some rows of a text, and of these the first columns."""
    segments = None if text.segments is None else text.segments[rows, :width]
    return TextInput(text.token_ids[rows, :width], text.keep[rows, :width], segments)


def random_text(lengths: list[int], seed: int, segments: bool) -> TextInput:
    """Return a batch; what stands in the padding is random too, because nothing may read it."""
    generator = torch.Generator().manual_seed(seed)
    shape = (len(lengths), max(lengths))
    ids = torch.randint(VOCABULARY, shape, generator=generator)
    which = torch.randint(2, shape, generator=generator) if segments else None
    return TextInput(ids, keep_from_lengths(torch.tensor(lengths), max(lengths)), which)


def shaken(variant: Variant, seed: int, dtype: torch.dtype) -> TextClassifier:
    """Return a model in evaluation mode with no weight at a special value."""
    torch.manual_seed(seed)
    model = TextClassifier(variant.settings, VOCABULARY, OUTPUTS, variant.towers).eval().to(dtype)
    shake(model)
    return model


@pytest.fixture
def variants() -> list[Variant]:
    """Return all variants."""
    return VARIANTS


@pytest.fixture(params=VARIANTS, ids=name_of)
def variant(request: pytest.FixtureRequest) -> Variant:
    """Return one variant."""
    return request.param


@pytest.fixture
def settings(variant: Variant) -> TextClassifierSettings:
    """Return the settings of this variant."""
    return variant.settings


@pytest.fixture
def make_model(variant: Variant) -> Callable[..., TextClassifier]:
    """Return a maker of models of this variant, each seed with other weights."""
    return lambda seed, dtype=torch.float64: shaken(variant, seed, dtype)


@functools.cache
def shared_model(variant: Variant, dtype: torch.dtype) -> TextClassifier:
    """Return a model that many laws look at and none changes."""
    return shaken(variant, seed=5, dtype=dtype)


@pytest.fixture
def model(variant: Variant, dtype: torch.dtype) -> TextClassifier:
    """Return the model of this variant."""
    return shared_model(variant, dtype)


def case_of(variant: Variant) -> Case:
    """Return the texts for a variant."""
    segments = getattr(variant.settings, "segments", 0) == 2
    first = random_text([7, 1, 4], 3, segments)
    return Case((first, random_text([2, 5, 1], 4, segments)) if variant.towers else (first,))


@pytest.fixture
def case(variant: Variant) -> Case:
    """Return the texts for this variant."""
    return case_of(variant)


@pytest.fixture(params=[variant for variant in VARIANTS if variant.towers], ids=name_of)
def pair(request: pytest.FixtureRequest) -> tuple[TextClassifier, TextInput, TextInput]:
    """Return a model with two towers, of its own for each test, and two texts."""
    return shaken(request.param, seed=5, dtype=torch.float64), *case_of(request.param).texts
