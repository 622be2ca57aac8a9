"""Text to words, and words to the n-grams that the linear model counts.

A word is a run of letters, digits and "_", which joins the syllables of a word in segmented Vietnamese; a single letter
is one too. Other signs count as well, a run of them as one: ":)", "!!" and "😂" say much about an opinion.
"""

import functools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

# Zero-width joiners stand inside words of Persian and Indic scripts.
_JOINERS = "\u200c\u200d"


def cut_texts(texts: Iterable[str], *, lowercase: bool) -> list[list[str]]:
    """Return the words of each text, composed to NFC; equal words share memory, so a large corpus stays small."""
    pattern = _words_and_signs()
    known: dict[str, str] = {}
    cut = []
    for text in texts:
        composed = unicodedata.normalize("NFC", text.lower() if lowercase else text)
        cut.append([known.setdefault(word, word) for word in pattern.findall(composed)])
    return cut


def word_ngrams(words: Sequence[str], lengths: tuple[int, int]) -> Iterator[str]:
    """Yield each run of `lengths[0]` to `lengths[1]` words, joined by spaces, which no word holds."""
    shortest, longest = lengths
    for length in range(shortest, longest + 1):
        if length == 1:
            yield from words
        else:
            yield from map(" ".join, zip(*(words[start:] for start in range(length)), strict=False))


def character_ngrams(word: str, lengths: tuple[int, int]) -> Iterator[str]:
    """Yield each run of characters of the word, a space on either side of it counted in.

    A word too short for a length is given once as a whole, and longer lengths add nothing to it.
    """
    spaced = f" {word} "
    shortest, longest = lengths
    for length in range(shortest, longest + 1):
        if length >= len(spaced):
            yield spaced
            return
        yield from (spaced[start : start + length] for start in range(len(spaced) - length + 1))


@functools.cache
def _words_and_signs() -> re.Pattern[str]:
    # To Python, vowel signs and accents that do not compose are no letters, which would tear words of Hindi or Thai.
    marks = "".join(sign for sign in map(chr, range(0x300, 0x1E950)) if unicodedata.category(sign) in ("Mn", "Mc"))
    return re.compile(rf"\w[\w{marks}{_JOINERS}]*|[^\w\s]+")
