"""TextCNN's own settings and shape, and one text worked by hand; the laws are elsewhere."""

import re

import pytest
import torch

from heed.errors import DataError, SettingsError
from heed.layers.masks import keep_from_lengths
from heed.models.text_cnn import TextCnn, TextCnnSettings
from heed.models.text_input import TextInput


@pytest.mark.parametrize(
    ("switches", "message"),
    [
        ({"widths": ()}, "model.widths is []. Give at least one, each 1 or more, for example [3, 4, 5]."),
        ({"widths": (3, 0)}, "model.widths is [3, 0]."),
        ({"filters": 0}, "model.filters is 0. Use 1 or more."),
        ({"embedding": 0}, "model.embedding is 0."),
        ({"longest": 0}, "model.longest is 0."),
        ({"dropout": 1.0}, "model.dropout is 1.0."),
        ({"word_dropout": 1.5}, "model.word_dropout is 1.5."),
        ({"bag": -1}, "model.bag is -1. Give the size of the n-grams' vectors, or 0 for none."),
        ({"bag_rows": 0}, "model.bag_rows is 0. Use 1 or more."),
    ],
)
def test_settings_that_cannot_be_built_are_refused_with_their_value(switches: dict, message: str) -> None:
    with pytest.raises(SettingsError, match=re.escape(message)):
        TextCnnSettings(**switches)


@torch.no_grad()
def test_two_texts_worked_by_hand() -> None:
    """Words 0 to 4 stand for themselves; one filter looks for large words, one for words that grow by the step."""
    model = TextCnn(TextCnnSettings(embedding=1, widths=(1, 3), filters=1, longest=5), vocabulary_size=5)
    model.embedding.weight.copy_(torch.arange(5.0)[:, None])
    single, triple = model.windows
    single.weight.fill_(2.0)
    single.bias.fill_(-1.0)
    triple.weight.copy_(torch.tensor([[[-1.0], [0.0], [1.0]]]))
    triple.bias.fill_(0.5)
    ids = torch.tensor([[1, 0, 2, 3, 1], [2, 1, 4, 4, 4]])
    text = TextInput(ids, keep_from_lengths(torch.tensor([5, 2]), 5))
    # 1: largest word 3, so 2 * 3 - 1 = 5; windows grow by 2 - 1, 3 - 0, 1 - 2: the best is 3 + 0.5.
    # 2: largest word 2, so 2 * 2 - 1 = 3; its two words and a zero of its own shrink by 2: relu(-2 + 0.5) = 0.
    assert model(text).tolist() == [[5.0, 3.5], [3.0, 0.0]]


def test_there_is_a_number_for_each_filter_of_each_width() -> None:
    model = TextCnn(TextCnnSettings(embedding=4, widths=(1, 2, 5), filters=7), 13)
    assert model.pooled_width == 21
    assert [tuple(each.weight.shape) for each in model.windows] == [(7, 1, 4), (7, 2, 4), (7, 5, 4)]


@torch.no_grad()
def test_a_bag_adds_the_n_grams_that_the_filters_pass_over() -> None:
    model = TextCnn(TextCnnSettings(embedding=4, widths=(1, 2, 5), filters=7, bag=3, bag_rows=50), 13)
    text = TextInput(torch.tensor([[1, 2, 3]]), torch.ones(1, 3, dtype=torch.bool))
    assert model.pooled_width == 30
    assert model.bag.lengths == (1, 2, 5)
    torch.testing.assert_close(model(text)[:, 21:], model.bag(text.token_ids, text.keep))


def test_filters_begin_with_the_spread_that_keeps_the_size_of_what_they_are_given() -> None:
    torch.manual_seed(0)
    (filters,) = TextCnn(TextCnnSettings(embedding=40, widths=(3,), filters=80), 13).windows
    assert filters.weight.std().item() == pytest.approx((2 / (3 * 40 + 80)) ** 0.5, rel=0.05)
    assert (filters.bias == 0).all()


def test_longer_texts_and_segments_are_refused() -> None:
    model, ids = TextCnn(TextCnnSettings(embedding=4, filters=2, longest=6), 13), torch.zeros(1, 7, dtype=torch.long)
    with pytest.raises(DataError, match="7 tokens came to a model that reads 6"):
        model(TextInput(ids, keep_from_lengths(torch.tensor([7]), 7)))
    with pytest.raises(SettingsError, match="this textcnn model has no segments"):
        model(TextInput(ids[:, :6], keep_from_lengths(torch.tensor([6]), 6), ids[:, :6]))
