"""`Paragraph`: a text as pieces with their places, and the way from a stretch of characters to pieces and back."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy

from heed.tokens.encoded import Encoded
from heed.tokens.tokenizer import Tokenizer

Integers = numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.int32]]
Truths = numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.bool_]]
AT_ONCE = 1000  # paragraphs encoded together: as the library gives them, pieces take ten times the memory


@dataclass(frozen=True, eq=False)
class Paragraph:
    """The pieces of a text; those that are no more than white space or a mark are not solid, and end no answer."""

    text: str
    ids: Integers  # (P,)
    offsets: Integers  # (P, 2) start and end of each piece, in characters of the text
    solid: Truths  # (P,)
    unknown: int

    def pieces_of(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the first and last solid piece that hold some of the characters; None where no piece does."""
        solid = numpy.flatnonzero(self.solid)
        first = int(numpy.searchsorted(self.offsets[solid, 1], start, side="right"))
        last = int(numpy.searchsorted(self.offsets[solid, 0], end, side="left")) - 1
        return (int(solid[first]), int(solid[last])) if first <= last else None

    def characters_of(self, first: int, last: int) -> tuple[int, int]:
        """Return start and end of the characters from one piece to another, without white space around them.

        A letter is never parted from its accents, which some tokenizers leave out and others make pieces of.
        """
        start, end = trimmed(self.text, int(self.offsets[first, 0]), int(self.offsets[last, 1]))
        while start > 0 and unicodedata.combining(self.text[start]):
            start -= 1
        while end < len(self.text) and unicodedata.combining(self.text[end]):
            end += 1
        return start, end


def encode_paragraphs(texts: Sequence[str], tokenizer: Tokenizer) -> tuple[Paragraph, ...]:
    """Return the paragraph of each text; equal texts, as of several questions, are encoded once and shared."""
    different = list(dict.fromkeys(texts))
    made: dict[str, Paragraph] = {}
    for first in range(0, len(different), AT_ONCE):
        chunk = different[first : first + AT_ONCE]
        made |= {text: _paragraph(text, each) for text, each in zip(chunk, tokenizer.encode_many(chunk), strict=True)}
    return tuple(made[text] for text in texts)


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the stretch of characters without the white space at both ends of it."""
    inside = text[start:end]
    start += len(inside) - len(inside.lstrip())
    return start, start + len(inside.strip())


def _paragraph(text: str, encoded: Encoded) -> Paragraph:
    ids, offsets = (numpy.asarray(each, dtype=numpy.int32) for each in (encoded.ids, encoded.offsets))
    solid = numpy.fromiter((bool(text[start:end].strip()) for start, end in encoded.offsets), dtype=numpy.bool_)
    return Paragraph(text, ids, offsets.reshape(-1, 2), solid, encoded.unknown)
