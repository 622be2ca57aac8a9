"""Word vectors put into an embedding: who finds one, at what size, and what is left alone."""

from dataclasses import dataclass

import numpy as np
import pytest
import torch
from torch import nn

from heed.errors import SettingsError
from heed.models.word_vectors import spellings, start_embedding, wanted_words

PIECES = ["[PAD]", "[UNK]", "the", "The", "Paris", "ham", "￭,", "##ham", "▁the"]


@dataclass(frozen=True)
class Vectors:
    """Stands for what is read from a file."""

    rows: dict[str, int]
    table: np.ndarray


VECTORS = Vectors(
    {"the": 0, "paris": 1, "Paris": 2, ",": 3, "ham": 4},
    np.array([[1, 2], [3, 4], [5, 6], [7, 8], [9, 10]], dtype=np.float32),
)


def embedding() -> nn.Embedding:
    torch.manual_seed(0)
    return nn.Embedding(len(PIECES), 2)


@pytest.mark.parametrize(
    ("piece", "words"),
    [
        ("The", ("The", "the")),
        ("￭,", (",", ",")),
        ("￭'￭", ("'", "'")),
        ("▁The", ("The", "the")),
        ("##ham", ()),
        ("▁", ("▁", "▁")),
        ("￭", ("￭", "￭")),
    ],
)
def test_a_piece_is_looked_for_without_its_marks_as_spelt_and_then_in_lower_case(piece: str, words: tuple) -> None:
    assert spellings(piece) == words


def test_the_wanted_words_are_all_that_would_be_looked_for() -> None:
    assert wanted_words(["The", "##ham", "￭,"]) == {"The", "the", ","}


def test_each_piece_gets_its_words_vector_up_to_one_factor() -> None:
    table = embedding()
    before = table.weight.detach().clone()
    assert start_embedding(table, PIECES, VECTORS) == 6
    found = torch.tensor([[1, 2], [1, 2], [5, 6], [9, 10], [7, 8], [1, 2]]).float()
    rows = [2, 3, 4, 5, 6, 8]
    factor = before.square().mean().sqrt() / found.square().mean().sqrt()
    torch.testing.assert_close(table.weight[rows], factor * found)
    assert torch.equal(table.weight[[0, 1, 7]], before[[0, 1, 7]]), "words without a vector keep their own"


def test_found_vectors_get_the_spread_of_the_embedding_whatever_their_own() -> None:
    results = []
    for size in (0.01, 1.0, 300.0):
        table = embedding()
        spread = table.weight.square().mean().item()
        start_embedding(table, PIECES, Vectors(VECTORS.rows, VECTORS.table * np.float32(size)))
        assert table.weight[[2, 3, 4, 5, 6, 8]].square().mean().item() == pytest.approx(spread, rel=1e-4)
        results.append(table.weight.detach())
    torch.testing.assert_close(results[0], results[2])


def test_the_embedding_goes_on_learning() -> None:
    table = embedding()
    start_embedding(table, PIECES, VECTORS)
    table(torch.tensor([2])).sum().backward()
    assert table.weight.requires_grad and table.weight.is_leaf
    assert table.weight.grad[2].tolist() == [1.0, 1.0]


def test_nothing_found_changes_nothing() -> None:
    table = embedding()
    before = table.weight.detach().clone()
    assert start_embedding(table, PIECES, Vectors({}, np.zeros((0, 2), np.float32))) == 0
    assert torch.equal(table.weight, before)


def test_vectors_of_zeros_are_copied_as_they_are() -> None:
    table = embedding()
    assert start_embedding(table, PIECES, Vectors({"ham": 0}, np.zeros((1, 2), np.float32))) == 1
    assert table.weight[5].tolist() == [0.0, 0.0]


def test_vectors_of_another_width_are_refused_with_both() -> None:
    with pytest.raises(SettingsError, match=r"have 3 numbers each, the model's have 2. Use model.embedding=3"):
        start_embedding(embedding(), PIECES, Vectors({"the": 0}, np.zeros((1, 3), np.float32)))
