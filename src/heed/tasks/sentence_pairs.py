"""Pairs of texts for next-sentence prediction (Devlin et al. 2019, section 3.1), cut so that only reading tells them.

A pair is drawn around a boundary between two sentences. A second boundary, the partner, is drawn by the same rule in
another document. How much is read before and behind is decided from both boundaries together; only then a coin says
whether the second text is what follows the first boundary or the partner. So the first text and all lengths are
independent of the label, and both kinds of second text begin at a boundary and are cut at the same number of tokens,
in the middle of a sentence or at its end as it happens.

    document 1    ... the first text | what follows it ...
    document 2           ... | what follows the partner ...

A document of one sentence is cut within it, and its partner is a document of one sentence, too.
"""

from dataclasses import dataclass, replace

import numpy
from numpy.typing import NDArray

from heed.data.token_store import TokenStore
from heed.errors import DataError
from heed.tasks.sequences import Stretches

Integers = NDArray[numpy.int64]


@dataclass(frozen=True)
class Pair:
    """Two stretches of tokens; without pairs the second is empty."""

    first: Integers
    second: Integers
    follows: bool | None  # None: there is no partner, so nothing can be learnt from the question


@dataclass(frozen=True)
class Boundary:
    """A place between two tokens of a document."""

    at: int  # tokens of the corpus before it
    before: int  # tokens of the document before it
    after: int  # and behind it


@dataclass(frozen=True, eq=False)
class Partners:
    """Stretches whose second texts may stand for each other, in the order of the corpus.

    The partner is a number of places further on, in a circle, and every number that is never within one document is
    equally probable. So over an epoch each stretch is a partner as often as any other, however long its document is:
    if documents were drawn instead, texts of short ones would nearly always be a false continuation.
    """

    stretches: Integers
    largest: int  # how many of them the document with the most has

    @property
    def exist(self) -> bool:
        """Tell whether each has partners: no document has more than half of all."""
        return 0 < 2 * self.largest <= len(self.stretches)

    def draw(self, stretch: int, generator: numpy.random.Generator) -> int:
        """Return a stretch of another document."""
        shift = int(generator.integers(self.largest, len(self.stretches) - self.largest + 1))
        place = int(numpy.searchsorted(self.stretches, stretch))
        return int(self.stretches[(place + shift) % len(self.stretches)])


@dataclass(frozen=True, eq=False)
class SentencePairs:
    """Draws one pair for each stretch."""

    stretches: Stretches
    documents: Integers  # the number of each stretch's document
    several: Partners  # of documents of several sentences
    single: Partners  # of documents of one sentence
    tail: int  # tokens within which a second text ends before the end of a document

    def __len__(self) -> int:
        return len(self.stretches)

    @property
    def labelled(self) -> int:
        """Return how many of the pairs have a label: those with a partner in another document."""
        return sum(len(each.stretches) for each in (self.several, self.single) if each.exist)

    def lengths(self) -> Integers:
        """Return how many tokens each pair has at most."""
        tokens = numpy.diff(_document_tokens(self.stretches.store, self.documents), axis=0)[0]
        return numpy.minimum(tokens, self.stretches.room)

    def draw(self, index: int, generator: numpy.random.Generator) -> Pair:
        """Return a pair of which the second text follows the first or is drawn from another document."""
        first_sentence, behind = self._sentences(index)
        partners = self.single if behind - first_sentence == 1 else self.several
        boundary = other = self._boundary(index, generator)
        if partners.exist:
            other = self._boundary(partners.draw(index, generator), generator)
        first, second = self._sizes(boundary, other, generator)
        follows = bool(generator.random() < 0.5) if partners.exist else None
        begin = other.at if follows is False else boundary.at
        return Pair(self._read(boundary.at - first, boundary.at), self._read(begin, begin + second), follows)

    def _boundary(self, index: int, generator: numpy.random.Generator) -> Boundary:
        """Return a place between two sentences at or in the stretch, or within the only sentence of a document."""
        first, behind = self._sentences(index)
        start, end = self._token(first), self._token(behind)
        if behind - first == 1:
            at = start + int(generator.integers(1, end - start))
        else:
            lowest = max(int(self.stretches.begins[index]), first + 1)
            highest = min(int(self.stretches.ends[index]), behind - 1)
            at = self._token(int(generator.integers(lowest, highest + 1)))
        return Boundary(at, at - start, end - at)

    def _sentences(self, index: int) -> tuple[int, int]:
        """Return the first sentence of a stretch's document, and the one behind its last."""
        document, ends = int(self.documents[index]), self.stretches.store.document_ends
        return int(ends[document - 1]) if document else 0, int(ends[document])

    def _sizes(self, here: Boundary, other: Boundary, generator: numpy.random.Generator) -> tuple[int, int]:
        """Return how many tokens the first and the second text have; neither depends on which boundary is read."""
        room = self.stretches.room
        first = self._whole_sentences(here, int(generator.integers(1, room)))
        second, left = room - first, min(here.after, other.after)
        if left > second:
            return first, second
        second = self._end(here, other, left, generator)
        return self._whole_sentences(here, room - second), second

    def _end(self, here: Boundary, other: Boundary, left: int, generator: numpy.random.Generator) -> int:
        """Return where a second text ends when one of the documents ends after `left` tokens.

        At its very end, the text of the shorter document would end with a sentence, and the other would not: so both
        end somewhere in the last tokens, and both with a sentence or neither.
        """
        sizes = numpy.arange(left - min(left // 2, self.tail), left + 1)
        alike = sizes[self._ends_sentence(here.at + sizes) == self._ends_sentence(other.at + sizes)]
        return int(generator.choice(alike if len(alike) else sizes))

    def _ends_sentence(self, places: Integers) -> NDArray[numpy.bool_]:
        ends = self.stretches.store.sentence_ends
        return ends[numpy.searchsorted(ends, places)] == places

    def _whole_sentences(self, boundary: Boundary, most: int) -> int:
        """Return how many tokens before a boundary are read: whole sentences, or the end of one that is too long."""
        if boundary.before <= most:
            return boundary.before
        ends = self.stretches.store.sentence_ends
        start = int(ends[int(numpy.searchsorted(ends, boundary.at - most))])
        return boundary.at - start if start < boundary.at else most

    def _read(self, begin: int, end: int) -> Integers:
        return self.stretches.store.tokens[begin:end].astype(numpy.int64)

    def _token(self, sentence: int) -> int:
        return int(self.stretches.store.sentence_ends[sentence - 1]) if sentence else 0


def build_pairs(stretches: Stretches) -> SentencePairs:
    """Return what draws pairs around the stretches; a document of a single token is left out."""
    store = stretches.store
    documents = numpy.searchsorted(store.document_ends, stretches.begins, side="right")
    kept = numpy.diff(_document_tokens(store, documents), axis=0)[0] > 1
    if not kept.any():
        raise DataError(
            f"None of the {len(store.document_ends):,} documents has two tokens, so no pair of texts can be made. "
            f"Give longer texts, or use --objective mlm."
        )
    stretches, documents = _only(stretches, documents, kept), documents[kept]
    single = numpy.diff(_document_sentences(store, documents), axis=0)[0] == 1
    tail = max(1, store.facts.tokens // store.facts.sentences)
    return SentencePairs(stretches, documents, _partners(documents, ~single), _partners(documents, single), tail)


def _only(stretches: Stretches, documents: Integers, kept: NDArray[numpy.bool_]) -> Stretches:
    """Return the stretches that become pairs, and count the tokens that no pair reaches."""
    begins, ends, lengths = (each[kept] for each in (stretches.begins, stretches.ends, stretches.lengths))
    first, behind = _document_sentences(stretches.store, documents[kept])
    # A sentence that is longer than the room is read from its beginning as a second text, from its end as a first.
    reached = (stretches.room - 1) * ((begins > first).astype(numpy.int64) + (ends < behind))
    tokens = _tokens_before(stretches.store, ends) - _tokens_before(stretches.store, begins)
    unread = (tokens - reached)[(tokens > stretches.room) & (behind - first > 1)].clip(0).sum()
    return replace(stretches, begins=begins, ends=ends, lengths=lengths, cut=int(unread) + int((~kept).sum()))


def _partners(documents: Integers, chosen: NDArray[numpy.bool_]) -> Partners:
    indices = numpy.flatnonzero(chosen)
    _, counts = numpy.unique(documents[indices], return_counts=True)
    return Partners(indices, int(counts.max(initial=0)))


def _document_sentences(store: TokenStore, documents: Integers) -> Integers:
    """Return (2, N): the first sentence of each document, and the one behind its last."""
    ends = store.document_ends
    return numpy.stack([numpy.where(documents > 0, ends[documents - 1], 0), ends[documents]])


def _document_tokens(store: TokenStore, documents: Integers) -> Integers:
    """Return (2, N): the first token of each document, and the one behind its last."""
    return _tokens_before(store, _document_sentences(store, documents))


def _tokens_before(store: TokenStore, sentences: Integers) -> Integers:
    """Return how many tokens of the corpus stand before a sentence."""
    return numpy.where(sentences > 0, store.sentence_ends[sentences - 1], 0)
