"""The n-grams that a linear model knows, which of them stand in a text, and how rare each is."""

import functools
import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import sparse  # type: ignore[import-untyped]

from heed.models.tfidf_words import character_ngrams, word_ngrams

Unit = Literal["words", "characters"]
Words = Sequence[str]  # a text, cut

# Texts counted at a time: enough that numpy does most of the work, few enough that memory does not notice.
CHUNK = 1024
# N-grams that counting may hold at once, as a multiple of those that are kept in the end.
_ROOM = 8


@dataclass(frozen=True, eq=False)
class NgramTable:
    """The known n-grams in sorted order and the rarity of each: ln((1 + texts) / (1 + texts with it)) + 1."""

    unit: Unit
    lengths: tuple[int, int]  # shortest and longest, in words or characters
    ngrams: tuple[str, ...]
    rarity: np.ndarray  # (F,)

    @functools.cached_property
    def numbers(self) -> dict[str, int]:
        """The place of each n-gram in the table."""
        return {ngram: number for number, ngram in enumerate(self.ngrams)}

    def count(self, texts: Sequence[Words]) -> sparse.csr_array:
        """Return how often each known n-gram stands in each text: (N, F) integers."""
        return _count(texts, self.unit, self.lengths, self.numbers.get, self.numbers)


def learn_ngrams(
    texts: Sequence[Words], unit: Unit, lengths: tuple[int, int], minimum_count: int, largest: int
) -> NgramTable:
    """Return the n-grams that stand in at least `minimum_count` texts; where that is too many, the most frequent."""
    texts_with = _texts_with_each(texts, unit, lengths, _ROOM * largest)
    frequent = [ngram for ngram, count in texts_with.items() if count >= minimum_count]
    if len(frequent) > largest:
        frequent = sorted(frequent, key=lambda ngram: (-texts_with[ngram], ngram))[:largest]
    ngrams = tuple(sorted(frequent))
    counts = np.array([texts_with[ngram] for ngram in ngrams], dtype=np.float64)
    return NgramTable(unit, lengths, ngrams, np.log((1 + len(texts)) / (1 + counts)) + 1)


def _texts_with_each(texts: Sequence[Words], unit: Unit, lengths: tuple[int, int], room: int) -> Counter[str]:
    """Return in how many texts each n-gram stands; rare ones are forgotten on the way when there is no more room."""
    texts_with: Counter[str] = Counter()
    for start in range(0, len(texts), CHUNK):
        numbers: defaultdict[str, int] = defaultdict()
        numbers.default_factory = numbers.__len__
        counts_NF = _count(texts[start : start + CHUNK], unit, lengths, numbers.__getitem__, numbers)
        in_chunk = np.bincount(counts_NF.indices, minlength=len(numbers)).tolist()
        texts_with.update(dict(zip(numbers, in_chunk, strict=True)))
        if len(texts_with) > room:
            texts_with = Counter(dict(texts_with.most_common(room // 2)))
    return texts_with


def _count(
    texts: Sequence[Words],
    unit: Unit,
    lengths: tuple[int, int],
    number_of: Callable[[str], int | None],
    numbers: dict[str, int],
) -> sparse.csr_array:
    """Return the counts (N, F) of the n-grams to which `number_of` gives a number; it may add to `numbers`."""
    match unit:
        case "words":
            rows = [[number_of(ngram) for ngram in word_ngrams(words, lengths)] for words in texts]
            return _matrix(rows, len(numbers))
        case "characters":
            # Each distinct word is spelt once, however often it comes; the product spreads its n-grams over the texts.
            distinct: dict[str, int] = {}
            places = [[distinct.setdefault(word, len(distinct)) for word in words] for words in texts]
            spelt = [[number_of(ngram) for ngram in character_ngrams(word, lengths)] for word in distinct]
            counts_NF = _matrix(places, len(distinct)) @ _matrix(spelt, len(numbers))
            counts_NF.sort_indices()
            return counts_NF


def _matrix(rows: Sequence[Sequence[int | None]], width: int) -> sparse.csr_array:
    """Return for each row how often each number stands in it; None is passed over."""
    known = [[number for number in row if number is not None] for row in rows]
    ends = np.cumsum([0, *map(len, known)], dtype=np.int32)  # liblinear takes no 64-bit indices
    columns = np.fromiter(itertools.chain.from_iterable(known), dtype=np.int32, count=int(ends[-1]))
    ones = np.ones(len(columns), dtype=np.int32)
    matrix = sparse.csr_array((ones, columns, ends), shape=(len(rows), width))
    matrix.sum_duplicates()
    return matrix
