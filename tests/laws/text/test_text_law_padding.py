"""Padding of a text changes nothing: not its amount, not what stands in it; and every real token does."""

from dataclasses import replace

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from heed.models.text_input import TextInput


def widened(text: TextInput) -> TextInput:
    """Return the texts with other ids and segments in their padding, and five more columns of it."""
    keep = functional.pad(text.keep, (0, 5), value=False)

    def other(values: Tensor, kinds: int) -> Tensor:
        generator = torch.Generator().manual_seed(9)
        return functional.pad(values, (0, 5)).where(keep, torch.randint(kinds, keep.shape, generator=generator))

    return TextInput(other(text.token_ids, 13), keep, None if text.segments is None else other(text.segments, 2))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_padding_changes_nothing(model, case, same) -> None:
    same(model(case.changed(widened)), model(case.texts))


def test_every_real_token_changes_the_output_and_no_other(model, case) -> None:
    """Without this, a model that is blind to its text would obey the law of padding."""
    usual_BC = model(case.texts)
    for number, text in enumerate(case.texts):
        for place in range(text.token_ids.shape[1]):
            ids = text.token_ids.clone()
            ids[:, place] = (ids[:, place] + 1) % 13
            texts = [replace(each, token_ids=ids) if each is text else each for each in case.texts]
            moved_B = (model(texts) - usual_BC).abs().amax(dim=1) > 0
            assert torch.equal(moved_B, text.keep[:, place]), f"token {place} of text {number}"
