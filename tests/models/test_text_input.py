"""What a batch of texts must be before any model reads it."""

import re

import pytest
import torch
from torch import Tensor

from heed.errors import DataError, SettingsError
from heed.models.text_input import TextInput, refuse_longer, refuse_segments

IDS = torch.arange(6).reshape(2, 3)


def keep(*rows: str) -> Tensor:
    return torch.tensor([[sign == "x" for sign in row] for row in rows])


def test_a_text_without_a_token_is_refused_with_its_place() -> None:
    with pytest.raises(DataError, match=re.escape("Text 2 of a batch of 2 has no token.")):
        TextInput(IDS, keep("xxx", "..."))


def test_a_batch_without_columns_is_refused() -> None:
    with pytest.raises(DataError, match="Text 1 of a batch of 2"):
        TextInput(IDS[:, :0], keep("", "").bool())


@pytest.mark.parametrize("row", [".xx", "x.x", "..x"])
def test_padding_stands_at_the_end(row: str) -> None:
    with pytest.raises(AssertionError, match="padding stands at the end"):
        TextInput(IDS, keep("xxx", row))


def test_every_token_is_marked_as_real_or_not() -> None:
    with pytest.raises(AssertionError, match=r"\[2, 3\].*\[2, 2\]"):
        TextInput(IDS, keep("xx", "xx"))


def test_a_text_longer_than_the_model_is_refused_with_both_lengths() -> None:
    text = TextInput(IDS, keep("xxx", "x.."))
    refuse_longer(text, 3)
    with pytest.raises(DataError, match=r"3 tokens came to a model that reads 2. Cut it to 2 tokens"):
        refuse_longer(text, 2)


def test_segments_are_refused_by_a_model_that_would_read_over_them() -> None:
    refuse_segments(TextInput(IDS, keep("xxx", "x..")), "rnn")
    with pytest.raises(SettingsError, match=r"this rnn model has no segments.*model.segments=2"):
        refuse_segments(TextInput(IDS, keep("xxx", "x.."), torch.zeros_like(IDS)), "rnn")
