"""The chunked loss equals torch's cross-entropy of all logits at once, in value and in every gradient."""

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from heed.layers import vocabulary_loss as loss_module
from heed.layers.vocabulary_loss import vocabulary_loss


def parts(rows: int) -> tuple[Tensor, nn.Linear, Tensor]:
    torch.manual_seed(rows)
    vocabulary = nn.Linear(4, 11)
    return torch.randn(rows, 4, requires_grad=True), vocabulary, torch.randint(11, (rows,))


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.9])
@pytest.mark.parametrize("rows", [1, 2, 3, 7, 8])
def test_value_and_gradients_equal_torchs(monkeypatch, rows: int, smoothing: float) -> None:
    monkeypatch.setattr(loss_module, "LOGITS", 3 * 11)  # so that chunks are whole, cut short, and several
    hidden_ND, vocabulary, next_N = parts(rows)
    expected = functional.cross_entropy(vocabulary(hidden_ND), next_N, reduction="sum", label_smoothing=smoothing)
    actual = vocabulary_loss(hidden_ND, vocabulary, next_N, smoothing)
    torch.testing.assert_close(actual, expected)
    inputs = (hidden_ND, vocabulary.weight, vocabulary.bias)
    for ours, theirs in zip(
        torch.autograd.grad(5 * actual, inputs), torch.autograd.grad(5 * expected, inputs), strict=True
    ):
        torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=1e-5)


def test_a_vocabulary_without_bias_equals_torchs_too() -> None:
    hidden_ND, _, next_N = parts(5)
    vocabulary = nn.Linear(4, 11, bias=False)
    expected = functional.cross_entropy(vocabulary(hidden_ND), next_N, reduction="sum")
    actual = vocabulary_loss(hidden_ND, vocabulary, next_N, 0.0)
    torch.testing.assert_close(actual, expected)
    inputs = (hidden_ND, vocabulary.weight)
    for ours, theirs in zip(torch.autograd.grad(actual, inputs), torch.autograd.grad(expected, inputs), strict=True):
        torch.testing.assert_close(ours, theirs)


def test_a_tied_table_gets_the_gradients_of_both_its_uses() -> None:
    _, vocabulary, next_N = parts(5)
    ids = torch.arange(5)
    totals = []
    for loss in (
        lambda hidden_ND: vocabulary_loss(hidden_ND, vocabulary, next_N, 0.1),
        lambda hidden_ND: functional.cross_entropy(vocabulary(hidden_ND), next_N, reduction="sum", label_smoothing=0.1),
    ):
        hidden_ND = torch.tanh(functional.embedding(ids, vocabulary.weight))
        totals.append(torch.autograd.grad(loss(hidden_ND), vocabulary.weight)[0])
    torch.testing.assert_close(totals[0], totals[1], atol=1e-5, rtol=1e-5)


@torch.no_grad()
def test_the_value_is_the_same_without_gradients() -> None:
    hidden_ND, vocabulary, next_N = parts(7)
    expected = functional.cross_entropy(vocabulary(hidden_ND), next_N, reduction="sum")
    torch.testing.assert_close(vocabulary_loss(hidden_ND, vocabulary, next_N, 0.0), expected)


def test_gradients_asked_for_twice_are_refused_and_never_scaled_twice() -> None:
    hidden_ND, vocabulary, next_N = parts(7)
    loss = vocabulary_loss(hidden_ND, vocabulary, next_N, 0.0)
    (5 * loss).backward(retain_graph=True)
    with pytest.raises(ValueError, match="not enough values to unpack"):
        (5 * loss).backward()
