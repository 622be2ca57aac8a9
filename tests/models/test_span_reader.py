"""Laws of `SpanReader`: padding, companions and looking change nothing, and all that learns gets a gradient."""

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from heed.errors import SettingsError, UsageError
from heed.layers.masks import keep_from_lengths
from heed.layers.trace import Trace
from heed.models.bert import BertSettings
from heed.models.encoder import EncoderSettings
from heed.models.span_reader import SpanReader, SpanReaderSettings, preset
from heed.models.text_input import TextInput
from heed.models.weights import load_weights, weights_of

ENCODER = EncoderSettings(width=8, heads=2, layers=2, feedforward=12, dropout=0.3, segments=2, longest=20)
BERT = BertSettings(width=8, heads=2, layers=2, feedforward=12, longest=20)
VARIANTS: list[SpanReaderSettings] = [
    ENCODER,
    replace(ENCODER, positions="rotary", pooling="first"),
    BERT,
    replace(BERT, segments=1, pooler="none"),
]
VOCABULARY = 13


@pytest.fixture(params=VARIANTS, ids=lambda settings: f"{settings.kind}-{settings.pooling}-{settings.segments}")
def model(request: pytest.FixtureRequest) -> SpanReader:
    torch.manual_seed(4)
    made = SpanReader(request.param, VOCABULARY).double().eval()
    with torch.no_grad():
        for parameter in made.parameters():  # none may be zero, or what it does would not show
            parameter.add_(0.3 * torch.randn_like(parameter))
    return made


@pytest.fixture
def text(model: SpanReader) -> TextInput:
    torch.manual_seed(5)
    token_ids = torch.randint(1, VOCABULARY, (3, 7))
    segments = (torch.arange(7) >= torch.tensor([[2], [4], [1]])).long()
    keep = keep_from_lengths(torch.tensor([7, 5, 2]), 7)
    return TextInput(token_ids, keep, segments if model.settings.segments == 2 else None)


def same(first: Tensor, second: Tensor) -> None:
    torch.testing.assert_close(first, second, rtol=0, atol=1e-12)


def part(text: TextInput, row: int, length: int) -> TextInput:
    segments = None if text.segments is None else text.segments[row : row + 1, :length]
    return TextInput(text.token_ids[row : row + 1, :length], text.keep[row : row + 1, :length], segments)


def test_there_is_a_start_and_an_end_for_each_token(model: SpanReader, text: TextInput) -> None:
    assert model(text).shape == (3, 7, 2)


def test_what_stands_at_padding_changes_nothing(model: SpanReader, text: TextInput) -> None:
    changed = replace(text, token_ids=text.token_ids.masked_fill(~text.keep, 9))
    same(model(changed)[text.keep], model(text)[text.keep])


def test_a_text_reads_the_same_alone_and_in_a_batch(model: SpanReader, text: TextInput) -> None:
    batched = model(text)
    for row, length in enumerate(text.keep.sum(dim=1).tolist()):
        same(model(part(text, row, length))[0], batched[row, :length])


def test_looking_changes_nothing_and_shows_every_layer(model: SpanReader, text: TextInput) -> None:
    trace = Trace()
    assert torch.equal(model(text, trace), model(text))
    assert set(trace.weights) == set(model.sites) == {"encoder.0.self", "encoder.1.self"}


def test_every_parameter_gets_a_gradient(model: SpanReader, text: TextInput) -> None:
    model(text)[text.keep].square().sum().backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, f"{name} has no gradient"
        assert parameter.grad.abs().max() > 0, f"the gradient of {name} is zero"


def test_saved_and_loaded_weights_give_the_same_numbers(model: SpanReader, text: TextInput) -> None:
    torch.manual_seed(99)
    other = SpanReader(model.settings, VOCABULARY).double().eval()
    assert not torch.equal(other(text), model(text))
    load_weights(other, weights_of(model), "test")
    assert torch.equal(other(text), model(text))


def test_question_and_paragraph_are_told_apart(model: SpanReader, text: TextInput) -> None:
    if text.segments is None:
        pytest.skip("this model has no segments")
    other = replace(text, segments=1 - text.segments)
    assert not torch.allclose(model(other), model(text))


def test_a_model_that_cannot_tell_the_texts_apart_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"model\.segments is 0"):
        SpanReader(replace(ENCODER, segments=0), VOCABULARY)


def test_a_pooling_without_use_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"model\.pooling is attention"):
        SpanReader(replace(ENCODER, pooling="attention"), VOCABULARY)


def test_a_model_is_chosen_by_name() -> None:
    assert isinstance(preset("bert-tiny"), BertSettings)
    assert preset("transformer").segments == 2
    with pytest.raises(UsageError, match="no model 'lstm'"):
        preset("lstm")
