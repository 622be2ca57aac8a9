"""`cut_passages`: one long text as short passages whose borders depend on the characters around them alone.

A language model reads a stream, which has no examples. To tell whether a part of a text was in another one, both are
cut where a hash of the last few characters says so: the same words are cut at the same places wherever they stand, also
in an excerpt that begins in the middle of a line. In prose a passage is some 60 characters long.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from heed.data.record_keys import composed

HASHED = 16  # characters before a border that decide whether it is one
LEAST = 48  # characters of a key: it begins before its passage, since a few words alone occur in every text
AFTER_SPACE = 10  # one in so many places after white space is a border
WITHIN_WORDS = 48  # one in so many other places, where no white space came for as many characters (as in Chinese)
BLOCK = 1 << 20  # characters that are hashed together; bounds memory

_SPACES = numpy.array([ord(each) for each in " \t\n\r\u00a0\u3000"], dtype=numpy.uint32)
_MIXED = 0x9E3779B97F4A7C15  # 2^64 / golden ratio, odd: spreads every bit over the high ones

Codes = NDArray[numpy.uint32]


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a text; all of them in order are the text."""

    text: str
    key: str  # the passage with the characters before it


def cut_passages(text: str) -> Iterator[Passage]:
    """Yield the passages of a text, in order."""
    text = composed(text)
    begin = 0
    for end in _ends(text):
        yield Passage(text[begin:end], text[max(0, min(begin, end - LEAST)) : end].strip())
        begin = end


def _ends(text: str) -> Iterator[int]:
    """Yield where passages end; the last ends with the text."""
    for first in range(0, len(text), BLOCK):
        before = max(0, first - WITHIN_WORDS)
        codes = numpy.frombuffer(text[before : first + BLOCK].encode("utf-32-le", "surrogatepass"), dtype=numpy.uint32)
        ends = numpy.flatnonzero(_are_ends(codes)) + before + 1
        yield from ends[(ends > first) & (ends < len(text))].tolist()
    if text:
        yield len(text)


def _are_ends(codes: Codes) -> NDArray[numpy.bool_]:
    """Return whether a passage may end after each character."""
    chances = _hashes(codes)
    spaces = numpy.isin(codes, _SPACES)
    places = numpy.arange(len(codes))
    last_space = numpy.maximum.accumulate(numpy.where(spaces, places, -1))
    long_word = places - last_space >= WITHIN_WORDS
    return (spaces & (chances % AFTER_SPACE == 0)) | (long_word & (chances % WITHIN_WORDS == 0))


def _hashes(codes: Codes) -> NDArray[numpy.uint64]:
    """Return a number from the last few characters up to each: the same wherever these stand."""
    wide = numpy.concatenate([numpy.zeros(HASHED - 1, dtype=numpy.uint64), codes.astype(numpy.uint64)])
    total = numpy.zeros(len(codes), dtype=numpy.uint64)
    for back in range(HASHED):
        total = total * numpy.uint64(_MIXED) + wide[back : back + len(codes)]
    return (total * numpy.uint64(_MIXED)) >> numpy.uint64(33)
