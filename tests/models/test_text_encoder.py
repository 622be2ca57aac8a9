"""The Transformer encoder's own settings, [CLS], segments, hidden vectors and limits; laws and references elsewhere."""

import re

import pytest
import torch

from heed.errors import DataError, SettingsError
from heed.layers.masks import keep_from_lengths
from heed.layers.trace import Trace
from heed.models.encoder import Encoder, EncoderSettings
from heed.models.text_input import TextInput

TINY = {"width": 8, "heads": 2, "layers": 1, "feedforward": 12, "longest": 6}


def tiny(**switches: object) -> Encoder:
    torch.manual_seed(0)
    return Encoder(EncoderSettings(**(TINY | switches)), 13).eval()


def text_of(*lengths: int, segments: torch.Tensor | None = None) -> TextInput:
    longest = max(lengths)
    ids = torch.arange(len(lengths) * longest).reshape(len(lengths), longest) % 13
    return TextInput(ids, keep_from_lengths(torch.tensor(lengths), longest), segments)


@pytest.mark.parametrize(
    ("switches", "message"),
    [
        ({"width": 10, "heads": 4}, "model.width is 10, model.heads is 4. Make the width a multiple of the heads."),
        ({"width": 6, "heads": 2, "positions": "rotary"}, "a head has 3 (6 / 2), which is odd."),
        ({"width": 0}, "model.width is 0. Use 1 or more."),
        ({"heads": 0}, "model.heads is 0."),
        ({"layers": 0}, "model.layers is 0."),
        ({"feedforward": 0}, "model.feedforward is 0."),
        ({"longest": 0}, "model.longest is 0."),
        ({"dropout": 1.0}, "model.dropout is 1.0."),
        ({"attention_dropout": 1.5}, "model.attention_dropout is 1.5."),
        ({"word_dropout": -1.0}, "model.word_dropout is -1.0."),
    ],
)
def test_settings_that_cannot_be_built_are_refused_with_their_value(switches: dict, message: str) -> None:
    with pytest.raises(SettingsError, match=re.escape(message)):
        EncoderSettings(**switches)


@torch.no_grad()
@pytest.mark.parametrize("pooling", ["mean", "max", "first", "attention"])
def test_hidden_vectors_stand_beside_their_tokens_and_padding_changes_none(pooling: str) -> None:
    model, text = tiny(pooling=pooling), text_of(4, 2)
    hidden_BTD = model.hidden(text)
    assert hidden_BTD.shape == (2, 4, 8)
    alone_1TD = model.hidden(TextInput(text.token_ids[1:, :2], text.keep[1:, :2]))
    torch.testing.assert_close(hidden_BTD[1:, :2], alone_1TD)


@torch.no_grad()
def test_the_mean_of_the_hidden_vectors_is_the_texts_vector() -> None:
    model, text = tiny(), text_of(4, 2)
    hidden_BTD = model.hidden(text)
    torch.testing.assert_close(model(text), torch.stack([hidden_BTD[0].mean(dim=0), hidden_BTD[1, :2].mean(dim=0)]))


@torch.no_grad()
def test_the_vector_in_front_is_no_tokens_and_takes_the_first_place() -> None:
    model, trace = tiny(pooling="first", positions="learned"), Trace()
    text = text_of(4, 2)
    states_BTD = model._states(text, model._keep(text), trace)
    assert states_BTD.shape == (2, 5, 8)
    torch.testing.assert_close(model(text), states_BTD[:, 0])
    torch.testing.assert_close(model.hidden(text), states_BTD[:, 1:])
    assert trace.weights["encoder.0.self"].shape == (2, 2, 5, 5)
    before_BTD = model._embed(text)
    torch.testing.assert_close(before_BTD[:, 0], (model.first_D * 8**0.5).expand(2, 8))
    assert model.positions.table.shape == (7, 8), "the longest text and the vector before it"


@torch.no_grad()
@pytest.mark.parametrize("score", ["scaled", "location"])
@pytest.mark.parametrize("positions", ["sinusoid", "sinusoid-concat", "learned", "rotary", "none"])
@pytest.mark.parametrize("pooling", ["mean", "first", "attention"])
def test_the_longest_text_is_read_and_one_token_more_is_refused(pooling: str, positions: str, score: str) -> None:
    model = tiny(pooling=pooling, positions=positions, score=score)
    assert model(text_of(6, 1)).isfinite().all()
    with pytest.raises(DataError, match="7 tokens came to a model that reads 6"):
        model(text_of(7, 1))


@torch.no_grad()
def test_segments_tell_two_texts_apart_and_none_means_the_first() -> None:
    model = tiny(segments=2)
    zeros, ones = torch.zeros(2, 4, dtype=torch.long), torch.ones(2, 4, dtype=torch.long)
    torch.testing.assert_close(model(text_of(4, 2)), model(text_of(4, 2, segments=zeros)))
    assert ((model(text_of(4, 2)) - model(text_of(4, 2, segments=ones))).abs().amax(dim=1) > 1e-3).all()


def test_segments_are_refused_by_an_encoder_that_has_none() -> None:
    assert tiny().segment_embedding is None
    with pytest.raises(SettingsError, match="this transformer model has no segments"):
        tiny()(text_of(4, 2, segments=torch.zeros(2, 4, dtype=torch.long)))


@pytest.mark.parametrize("pooling", ["mean", "first"])
def test_everything_embedded_begins_as_large_as_the_positions(pooling: str) -> None:
    torch.manual_seed(0)
    model = Encoder(EncoderSettings(width=64, longest=500, pooling=pooling), 500)
    ids = torch.arange(500)[None]
    embedded_BTD = model._embed(TextInput(ids, torch.ones_like(ids, dtype=torch.bool)))
    assert embedded_BTD.std().item() == pytest.approx(1.0, rel=0.05)
    assert embedded_BTD[:, 0].std().item() == pytest.approx(1.0, rel=0.3)


@torch.no_grad()
def test_batch_statistics_of_training_ignore_padding() -> None:
    """The laws run in evaluation, where batch norm does not look at the batch at all."""
    results = []
    for filling in (0, 12):
        model, text = tiny(norm="batch", dropout=0.0, pooling="first").train(), text_of(4, 2)
        pooled_BD = model(TextInput(text.token_ids.where(text.keep, filling), text.keep))
        results.append([pooled_BD, *(buffer for name, buffer in model.named_buffers() if "norm" in name)])
    assert len(results[0]) == 1 + 3 * 2
    for first, second in zip(*results, strict=True):
        torch.testing.assert_close(first, second)


def test_dropout_falls_on_words_and_the_vector_in_front() -> None:
    settings = EncoderSettings(width=1000, heads=2, layers=1, feedforward=2, dropout=0.5, pooling="first")
    model, seen = Encoder(settings, 13).train(), []
    model.encoder[0].register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0]))
    model(text_of(3, 2))
    assert (seen[0] == 0).float().mean(dim=-1).flatten().tolist() == pytest.approx([0.5] * 8, abs=0.08)
