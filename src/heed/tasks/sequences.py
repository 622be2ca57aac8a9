"""Sequences of a corpus for BERT: stretches of whole sentences of one document, each filled as far as it goes.

Hidden words alone are learnt from a stretch as it is; pairs of texts are drawn around a stretch (`sentence_pairs`).
"""

from array import array
from collections.abc import Iterator
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from heed.data.token_store import TokenStore

Integers = NDArray[numpy.int64]

BLOCK = 1 << 16  # numbers of a mapped array that are read at a time


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
