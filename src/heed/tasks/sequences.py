"""Sequences of a corpus for BERT: stretches of whole sentences of one document, each filled as far as it goes.

Every epoch draws anew, from (seed, epoch, sequence), how a stretch becomes a pair: where its first text ends, and
whether the second goes on (half of them) or comes from another document, filled to the same length.
"""

from array import array
from collections.abc import Iterator
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from heed.data.token_store import TokenStore

Integers = NDArray[numpy.int64]

BLOCK = 1 << 16  # numbers of a mapped array that are read at a time


@dataclass(frozen=True)
class Pair:
    """Two stretches of tokens; without pairs the second is empty."""

    first: Integers
    second: Integers
    follows: bool


@dataclass(frozen=True, eq=False)
class Stretches:
    """Stretch i is the sentences `begins[i]` up to, but not including, `ends[i]`; none is longer than `room` tokens.

    A sentence that is longer than that stands alone, and is cut: `cut` counts the tokens that are never read.
    """

    store: TokenStore
    room: int
    begins: Integers
    ends: Integers
    lengths: Integers  # tokens of each, at most `room`
    cut: int

    def __len__(self) -> int:
        return len(self.begins)

    def tokens(self, index: int) -> Integers:
        """Return the tokens of a stretch."""
        return self._span(int(self.begins[index]), int(self.ends[index]))[: self.room]

    def pair(self, index: int, generator: numpy.random.Generator) -> Pair:
        """Return a stretch as two texts, of which the second follows the first or is drawn from elsewhere."""
        whole = self.tokens(index)
        at = self._boundary(index, len(whole), generator)
        first, rest = whole[:at], whole[at:]
        follows = bool(generator.random() < 0.5)
        if follows:
            return Pair(first, rest, True)
        return Pair(first, self._elsewhere(index, max(1, len(rest)), generator), False)

    def _boundary(self, index: int, length: int, generator: numpy.random.Generator) -> int:
        """Return where the first text ends: between two sentences, or anywhere in a single one."""
        begin, end = int(self.begins[index]), int(self.ends[index])
        if end - begin == 1:
            return int(generator.integers(1, length)) if length > 1 else 1
        start = 0 if begin == 0 else int(self.store.sentence_ends[begin - 1])
        return int(self.store.sentence_ends[begin + int(generator.integers(end - begin - 1))]) - start

    def _elsewhere(self, index: int, length: int, generator: numpy.random.Generator) -> Integers:
        """Return the beginning of sentences of another document, up to so many tokens."""
        documents = self.store.document_ends
        own = int(numpy.searchsorted(documents, self.begins[index], side="right"))
        other = int(generator.integers(len(documents) - 1)) if len(documents) > 1 else own
        other += other >= own and len(documents) > 1
        begin = 0 if other == 0 else int(documents[other - 1])
        end = int(documents[other])
        return self._span(begin + int(generator.integers(end - begin)), end)[:length]

    def _span(self, begin: int, end: int) -> Integers:
        start = 0 if begin == 0 else int(self.store.sentence_ends[begin - 1])
        return self.store.tokens[start : int(self.store.sentence_ends[end - 1])].astype(numpy.int64)


def cut_stretches(store: TokenStore, room: int) -> Stretches:
    """Return the stretches of a corpus: as many whole sentences of a document as fit, one after the other."""
    begins, ends = array("q"), array("q")
    for begin, end in _filled(store, room):
        begins.append(begin)
        ends.append(end)
    begins_N, ends_N = numpy.frombuffer(begins, dtype=numpy.int64), numpy.frombuffer(ends, dtype=numpy.int64)
    starts_N = numpy.where(begins_N > 0, store.sentence_ends[begins_N - 1], 0)
    total_N = store.sentence_ends[ends_N - 1] - starts_N
    return Stretches(store, room, begins_N, ends_N, numpy.minimum(total_N, room), int((total_N - room).clip(0).sum()))


def _filled(store: TokenStore, room: int) -> Iterator[tuple[int, int]]:
    """Yield the first sentence of each stretch, and the first after it."""
    document_ends = _in_blocks(store.document_ends)
    document_end = next(document_ends)
    begin = used = before = 0
    for sentence, end in enumerate(_in_blocks(store.sentence_ends)):
        if sentence == document_end:
            yield begin, sentence
            begin, used, document_end = sentence, 0, next(document_ends)
        elif used and used + end - before > room:
            yield begin, sentence
            begin, used = sentence, 0
        used, before = used + end - before, end
    yield begin, document_end


def _in_blocks(numbers: Integers) -> Iterator[int]:
    """Yield the numbers of a mapped array; never all of them are in memory as numbers of Python."""
    for first in range(0, len(numbers), BLOCK):
        yield from numbers[first : first + BLOCK].tolist()
