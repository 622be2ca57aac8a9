"""N-gram counts to the features of a linear model.

One text: the tf-idf weights of its n-grams. Two texts: the weights of the n-grams that they share, that only the first
has and that only the second has, and four numbers on how alike they are. The first three say which words matter; a
linear model could not find the likeness from them by itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse  # type: ignore[import-untyped]

from heed.models.tfidf_ngrams import CHUNK, NgramTable, Words
from heed.models.tfidf_words import cut_texts

Texts = tuple[str, ...]  # one, or the two of a pair
LIKENESSES = 4


@dataclass(frozen=True)
class TextFeatures:
    """Turns examples of one or two texts into rows of numbers, a block for each table of n-grams."""

    tables: tuple[NgramTable, ...]
    texts: int  # in an example: 1, or 2 for pairs
    lowercase: bool
    sublinear: bool  # 1 + ln(count) for count: the tenth time says less than the first

    @property
    def width(self) -> int:
        """The number of features."""
        return sum(block_width(len(table.ngrams), self.texts) for table in self.tables)

    def __call__(self, examples: Sequence[Texts]) -> sparse.csr_array:
        """Return the features (N, F) of examples few enough to hold at once."""
        sides = [cut_texts(side, lowercase=self.lowercase) for side in zip(*examples, strict=True)]
        return sparse.hstack([block(table, sides, sublinear=self.sublinear) for table in self.tables], format="csr")


def block_width(ngrams: int, texts: int) -> int:
    """Return the number of features that a table of so many n-grams gives."""
    return ngrams if texts == 1 else 3 * ngrams + LIKENESSES


def block(table: NgramTable, sides: Sequence[Sequence[Words]], *, sublinear: bool) -> sparse.csr_array:
    """Return the features that one table gives; `sides` are all first texts, and for pairs all second texts."""
    rows = []
    for start in range(0, len(sides[0]), CHUNK):
        counts = [table.count(side[start : start + CHUNK]) for side in sides]
        rows.append(_weigh(counts, table.rarity, sublinear))
    return sparse.vstack(rows, format="csr")


def _weigh(counts: Sequence[sparse.csr_array], rarity: np.ndarray, sublinear: bool) -> sparse.csr_array:
    if len(counts) == 1:
        return _text_weights(counts[0], rarity, sublinear)
    first_NF, second_NF = counts
    return _pair_weights(first_NF, second_NF, rarity, sublinear)


def _text_weights(counts_NF: sparse.csr_array, rarity: np.ndarray, sublinear: bool) -> sparse.csr_array:
    return _unit_rows(_weights(counts_NF, rarity, sublinear))


def _pair_weights(
    first_NF: sparse.csr_array, second_NF: sparse.csr_array, rarity: np.ndarray, sublinear: bool
) -> sparse.csr_array:
    shared_NF = first_NF.minimum(second_NF)
    parts = [_weights(part, rarity, sublinear) for part in (shared_NF, first_NF - shared_NF, second_NF - shared_NF)]
    words_NF = _unit_rows(sparse.hstack(parts, format="csr"))
    likeness_NF = sparse.csr_array(_likenesses(first_NF, second_NF, shared_NF, rarity, sublinear))
    return sparse.hstack([words_NF, likeness_NF], format="csr")


def _likenesses(
    first_NF: sparse.csr_array,
    second_NF: sparse.csr_array,
    shared_NF: sparse.csr_array,
    rarity: np.ndarray,
    sublinear: bool,
) -> np.ndarray:
    """Return, from 0 to 1: the cosine, how much of either text the other holds, and how alike their lengths are."""
    unit_first_NF, unit_second_NF = (_text_weights(counts, rarity, sublinear) for counts in (first_NF, second_NF))
    cosine = unit_first_NF.multiply(unit_second_NF).sum(axis=1)
    first, second, shared = first_NF @ rarity, second_NF @ rarity, shared_NF @ rarity
    lengths = _ratio(np.minimum(first, second), np.maximum(first, second))
    return np.stack([cosine, _ratio(shared, first), _ratio(shared, second), lengths], axis=1)


def _ratio(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Return part / whole, and 0 where a text holds nothing that is known."""
    return np.divide(part, whole, out=np.zeros_like(whole), where=whole > 0)


def _weights(counts_NF: sparse.csr_array, rarity: np.ndarray, sublinear: bool) -> sparse.csr_array:
    weights_NF = counts_NF.astype(np.float64)
    if sublinear:
        weights_NF.data = 1 + np.log(weights_NF.data)
    weights_NF.data *= rarity[weights_NF.indices]
    return weights_NF


def _unit_rows(weights_NF: sparse.csr_array) -> sparse.csr_array:
    """Return rows of length one; one that holds nothing stays empty."""
    lengths_N = np.sqrt(weights_NF.power(2).sum(axis=1))
    # Divided by 1 where there is nothing to divide.
    weights_NF.data /= np.repeat(np.where(lengths_N > 0, lengths_N, 1), np.diff(weights_NF.indptr))
    return weights_NF
