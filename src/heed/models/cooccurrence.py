"""How often words stand near each other, as GloVe wants it: a pair at distance d counts 1/d, on both sides.

A pair is one number, smaller row times vocabulary plus larger row. Sentences are gathered to blocks; the pairs of a
block are sorted and summed, and blocks merged as they come to equal sizes. So memory is that of the different pairs,
about 100 bytes each while the last two blocks are merged, whatever the length of the corpus.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heed.errors import DataError

BLOCK_WORDS = 200_000  # of the corpus, gathered before they are counted; with a window of 10, 2 million pairs


@dataclass(frozen=True, eq=False)
class Cooccurrences:
    """The pairs that occur, each once, as rows first ≤ second, and how often."""

    first: NDArray[np.int32]  # (N,)
    second: NDArray[np.int32]
    counts: NDArray[np.float32]  # sums of 1/d; a word beside itself is seen from both ends and counts twice

    def __len__(self) -> int:
        return len(self.counts)


@dataclass(frozen=True, eq=False)
class _Sums:
    """Pairs as sorted numbers, none of them twice, and what each has come to."""

    keys: NDArray[np.int64]
    sums: NDArray[np.float64]


def count_pairs(
    sentences: Iterable[Sequence[str]], rows: Mapping[str, int], window: int, most_pairs: int
) -> Cooccurrences:
    """Return how often the words of the vocabulary stand near each other; other words are left out beforehand."""
    # Like the digits of a counter: each is at least twice as long as the one after it.
    levels: list[_Sums] = []
    for words_N, sentence_N in _blocks(sentences, rows):
        levels.append(_sums_of_block(words_N, sentence_N, window, len(rows)))
        while len(levels) > 1 and len(levels[-2].keys) < 2 * len(levels[-1].keys):
            levels[-2:] = [_merged(levels[-2:])]
        _check_size(levels, most_pairs)
    if not levels:
        levels = [_Sums(np.empty(0, np.int64), np.empty(0, np.float64))]
    return _as_rows(_merged(levels), len(rows))


def _blocks(
    sentences: Iterable[Sequence[str]], rows: Mapping[str, int]
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Yield the rows of many sentences' words end to end, and the number of the sentence of each."""
    words: list[int] = []
    lengths: list[int] = []
    for sentence in sentences:
        known = [rows[word] for word in sentence if word in rows]
        words += known
        lengths.append(len(known))
        if len(words) >= BLOCK_WORDS:
            yield np.array(words, np.int64), np.repeat(np.arange(len(lengths)), lengths)
            words, lengths = [], []
    if words:
        yield np.array(words, np.int64), np.repeat(np.arange(len(lengths)), lengths)


def _sums_of_block(words_N: NDArray[np.int64], sentence_N: NDArray[np.int64], window: int, vocabulary: int) -> _Sums:
    keys, weights = [], []
    for distance in range(1, min(window, len(words_N) - 1) + 1):
        together = sentence_N[:-distance] == sentence_N[distance:]
        left, right = words_N[:-distance][together], words_N[distance:][together]
        keys.append(np.minimum(left, right) * vocabulary + np.maximum(left, right))
        weights.append(np.where(left == right, 2.0, 1.0) / distance)
    if not keys:
        return _Sums(np.empty(0, np.int64), np.empty(0, np.float64))
    return _summed(np.concatenate(keys), np.concatenate(weights))


def _merged(parts: Sequence[_Sums]) -> _Sums:
    if len(parts) == 1:
        return parts[0]
    return _summed(np.concatenate([part.keys for part in parts]), np.concatenate([part.sums for part in parts]))


def _summed(keys_M: NDArray[np.int64], weights_M: NDArray[np.float64]) -> _Sums:
    if len(keys_M) == 0:
        return _Sums(keys_M, weights_M)
    order = np.argsort(keys_M, kind="stable")
    keys_M, weights_M = keys_M[order], weights_M[order]
    starts = np.flatnonzero(np.concatenate(([True], keys_M[1:] != keys_M[:-1])))
    return _Sums(keys_M[starts], np.add.reduceat(weights_M, starts))


def _check_size(levels: Sequence[_Sums], most_pairs: int) -> None:
    pairs = max(len(level.keys) for level in levels)
    if pairs > most_pairs:
        raise DataError(
            f"The corpus has {pairs:,} different pairs of words within the window, and model.most_pairs is "
            f"{most_pairs:,}. Use a larger model.minimum_count, a smaller model.largest_vocabulary or model.window, or "
            f"allow more pairs: a million takes 100 MB."
        )


def _as_rows(sums: _Sums, vocabulary: int) -> Cooccurrences:
    first, second = np.divmod(sums.keys, vocabulary)
    return Cooccurrences(first.astype(np.int32), second.astype(np.int32), sums.sums.astype(np.float32))
