"""The bag of n-grams: rows and sums worked by hand, against a count in plain Python, and what padding must not do."""

import math

import pytest
import torch
from torch import Tensor

from heed.layers.masks import keep_from_lengths
from heed.layers.ngram_bag import NgramBag


def test_the_row_of_an_n_gram_is_its_number_in_the_base_of_the_vocabulary() -> None:
    bag = NgramBag(vocabulary_size=10, lengths=(1, 2, 3), rows=10_000, width=1)
    ids = torch.tensor([[7, 0, 4]])
    assert bag.rows(ids, 1).tolist() == [[17, 10, 14]]
    assert bag.rows(ids, 2).tolist() == [[270, 204]]
    assert bag.rows(ids, 3).tolist() == [[3704]]
    assert bag.rows(ids, 4).shape == (1, 0)


def test_rows_stay_in_the_table_however_large_the_numbers_are() -> None:
    bag = NgramBag(vocabulary_size=250_002, lengths=(9,), rows=524_287, width=1)
    ids = torch.tensor([list(range(250_001, 249_989, -1))])
    exact = [9] * 4
    for start in range(4):
        for id in ids[0, start : start + 9].tolist():
            exact[start] = exact[start] * 250_002 + id
    assert bag.rows(ids, 9)[0].tolist() == [number % 524_287 for number in exact]


@torch.no_grad()
def test_a_text_worked_by_hand() -> None:
    bag = NgramBag(vocabulary_size=3, lengths=(1, 2), rows=40, width=1)
    bag.weight.copy_(torch.arange(40.0)[:, None])
    # Words 2, 0, 2, 1: rows 5, 3, 5, 4, the sum 17 over the root of 4; pairs 24, 20, 25 over the root of 3.
    ids = torch.tensor([[2, 0, 2, 1]])
    torch.testing.assert_close(bag(ids, ids >= 0), torch.tensor([[17 / 2, 69 / math.sqrt(3)]]))


def counted(bag: NgramBag, words: list[int]) -> Tensor:
    """Return the same for one text, n-gram by n-gram."""
    parts = []
    for length in bag.lengths:
        ngrams = [words[start : start + length] for start in range(len(words) - length + 1)]
        total = torch.zeros(bag.weight.shape[1])
        for ngram in ngrams:
            number = length
            for word in ngram:
                number = number * bag.vocabulary_size + word
            total = total + bag.weight[number % len(bag.weight)]
        parts.append(total / math.sqrt(max(len(ngrams), 1)))
    return torch.cat(parts)


@torch.no_grad()
@pytest.mark.parametrize("rows", [5, 97, 5000])
def test_it_is_a_count_of_n_grams_whatever_stands_in_the_padding(rows: int) -> None:
    torch.manual_seed(rows)
    bag = NgramBag(vocabulary_size=11, lengths=(1, 2, 4), rows=rows, width=3)
    lengths = [7, 1, 3, 5]
    ids = torch.randint(11, (4, 7))
    found = bag(ids, keep_from_lengths(torch.tensor(lengths), 7))
    for row, length in enumerate(lengths):
        torch.testing.assert_close(found[row], counted(bag, ids[row, :length].tolist()))
