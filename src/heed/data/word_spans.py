"""Where the words of a text stand in it, in characters: of words that are given, and of a text that is cut here.

A text is cut at white space and punctuation, as the corpora are that models learn from: "Ada's dog, Rex." is Ada 's dog
, Rex . Numbers (1,000.5), addresses of the web, @names and #topics stay whole, and so do words with a hyphen or dots
inside (well-known, U.S.).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_WORD = re.compile(
    r"""
    (?:https?://|www\.)\S+                # an address of the web
    | [@#]\w+                             # a name or a topic of social media
    | \d+(?:[.,:/]\d+)*%?                 # 1,000.5  12:30  50%
    | (?:[^\W\d_]\.){2,}                  # U.S.
    | \w+?(?=n['’]t\b)                    # do, before n't
    | n['’]t\b
    | ['’](?:s|m|d|re|ve|ll)\b            # what may hang on a word: 's 'm 'd 're 've 'll
    | \w+(?:[-–&.]\w+)*                   # well-known, AT&T, heed.py
    | \.{2,} | -{2,}
    | \S                                  # any other sign by itself
    """,
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class WordSpan:
    """A word and its place in a text: characters `start` up to, not including, `end`."""

    word: str
    start: int
    end: int


def find_words(text: str) -> tuple[WordSpan, ...]:
    """Return the words of a text; what is left out between them is white space alone."""
    return tuple(WordSpan(found[0], *found.span()) for found in _WORD.finditer(text))


def spans_of_words(words: Sequence[str]) -> tuple[WordSpan, ...]:
    """Return where words stand in the text that they make with one space between."""
    spans: list[WordSpan] = []
    start = 0
    for word in words:
        spans.append(WordSpan(word, start, start + len(word)))
        start += len(word) + 1
    return tuple(spans)
