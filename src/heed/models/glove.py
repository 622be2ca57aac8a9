"""GloVe: vectors whose products are the logarithms of how often words stand together (Pennington et al. 2014).

Every word has two vectors, as a word and as a context; pairs of words are known from both sides, so the two learn the
same thing from different starts, and their sum is better than either (section 4.2).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from heed.errors import DataError
from heed.models.cooccurrence import Cooccurrences
from heed.models.vectors_epoch import VectorsEpoch
from heed.models.vectors_settings import GloveSettings


@dataclass(frozen=True, eq=False)
class Table:
    """Numbers that AdaGrad moves, a row a word, and the sums of the squares of their gradients."""

    values: Tensor  # (V, D), or (V, 1) for the biases
    squares: Tensor


@dataclass(frozen=True, eq=False)
class Side:
    """One of the two faces of the words: vectors and biases."""

    vectors: Table
    biases: Table


def learn_glove(settings: GloveSettings, pairs: Cooccurrences, vocabulary: int, seed: int) -> Iterator[VectorsEpoch]:
    """Yield the vectors after each pass over the pairs; the same seed and threads give the same vectors."""
    if len(pairs) == 0:
        raise DataError(f"No two of the {vocabulary} words stand in one sentence. Give sentences of two words or more.")
    generator = torch.Generator().manual_seed(seed)
    words, contexts = (_side(vocabulary, settings.width, generator) for _ in range(2))
    order = np.random.default_rng(seed)
    for number in range(1, settings.epochs + 1):
        loss = _pass(settings, pairs, order.permutation(len(pairs)), words, contexts)
        table_VD = (words.vectors.values + contexts.vectors.values).numpy()
        yield VectorsEpoch(number, settings.epochs, loss, settings.learning_rate, table_VD)


def pair_weights(counts_N: Tensor, cap: float, power: float) -> Tensor:
    """Return how much each pair weighs: (x / cap) ** power, at most 1 (eq. 9)."""
    return (counts_N / cap).clamp(max=1.0) ** power


def pair_errors(words_ND: Tensor, contexts_ND: Tensor, biases_N: Tensor, counts_N: Tensor) -> Tensor:
    """Return by how much each product, with both biases, is off the logarithm of the count (inside eq. 8)."""
    return (words_ND * contexts_ND).sum(dim=1) + biases_N - counts_N.log()


def _pass(settings: GloveSettings, pairs: Cooccurrences, order: np.ndarray, words: Side, contexts: Side) -> float:
    """Go through all pairs once, each from both sides; return the mean of the weighted squared errors (eq. 8)."""
    total, sides = 0.0, 0
    for start in range(0, len(order), settings.batch):
        chosen = order[start : start + settings.batch]
        first_N, second_N = (torch.from_numpy(rows[chosen]).long() for rows in (pairs.first, pairs.second))
        counts_N = torch.from_numpy(pairs.counts[chosen])
        # A word beside itself is one cell of the table, not two.
        other_N = first_N != second_N
        word_M = torch.cat([first_N, second_N[other_N]])
        context_M = torch.cat([second_N, first_N[other_N]])
        total += _step(settings, word_M, context_M, torch.cat([counts_N, counts_N[other_N]]), words, contexts)
        sides += len(word_M)
    return total / sides


def _step(
    settings: GloveSettings, word_N: Tensor, context_N: Tensor, counts_N: Tensor, words: Side, contexts: Side
) -> float:
    # index_select takes a fifth of the time of square brackets.
    words_ND = words.vectors.values.index_select(0, word_N)
    contexts_ND = contexts.vectors.values.index_select(0, context_N)
    biases_N = words.biases.values[word_N, 0] + contexts.biases.values[context_N, 0]
    errors_N = pair_errors(words_ND, contexts_ND, biases_N, counts_N)
    weights_N = pair_weights(counts_N, settings.cap, settings.power)
    # Of half the square, as the authors' program has it: the factor 2 is in the learning rate.
    slopes_N1 = (weights_N * errors_N)[:, None]
    _move(words, word_N, slopes_N1 * contexts_ND, slopes_N1, settings.learning_rate)
    _move(contexts, context_N, slopes_N1 * words_ND, slopes_N1, settings.learning_rate)
    return float((weights_N * errors_N.square()).sum())


def _move(side: Side, rows_N: Tensor, vector_slopes_ND: Tensor, bias_slopes_N1: Tensor, rate: float) -> None:
    rows_U, place_N = torch.unique(rows_N, return_inverse=True)
    for table, slopes_ND in ((side.vectors, vector_slopes_ND), (side.biases, bias_slopes_N1)):
        slope_UD = torch.zeros(len(rows_U), slopes_ND.shape[1]).index_add_(0, place_N, slopes_ND)
        adagrad(table, rows_U, slope_UD, rate)


def adagrad(table: Table, rows_U: Tensor, slope_UD: Tensor, rate: float) -> None:
    """Move different rows down their slopes, each number the less the more it has moved (Duchi et al. 2011)."""
    squares_UD = table.squares.index_select(0, rows_U) + slope_UD.square()
    table.squares.index_copy_(0, rows_U, squares_UD)
    table.values.index_add_(0, rows_U, slope_UD / squares_UD.sqrt(), alpha=-rate)


def _side(vocabulary: int, width: int, generator: torch.Generator) -> Side:
    return Side(_table(vocabulary, width, width, generator), _table(vocabulary, 1, width, generator))


def _table(rows: int, columns: int, width: int, generator: torch.Generator) -> Table:
    # The authors' start: small numbers, and squares of 1, so that the first steps are no longer than the later ones.
    values = (torch.rand(rows, columns, generator=generator) - 0.5) / width
    return Table(values, torch.ones(rows, columns))
