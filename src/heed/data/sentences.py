"""Text as sentences of words, to learn word vectors from: one sentence a line, streamed as often as it is asked for.

A word is a run of letters, digits, accents and "_", which joins what is one word (new_york, the syllables of segmented
Vietnamese). Every other sign parts words and is left out. Words are composed (NFC) and in lower case. A line without a
word is no sentence; a line of more than `LONGEST` words is given in parts.
"""

import functools
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from heed.data.demo_words import demo_name, names_demo
from heed.data.demos import royals
from heed.data.reading_notes import origin_of
from heed.errors import DataError
from heed.files.lines import read_lines
from heed.files.opening import open_input

DEMOS = ("royals",)
LONGEST = 10_000  # words; what gensim reads of a sentence, and it drops the rest without a word
MOST_DIFFERENT = 10_000_000  # words that are told apart; about a gigabyte of counts


@dataclass(frozen=True)
class Sentences:
    """A corpus that can be gone through again and again, a line at a time; what files hold is read anew each time."""

    texts: Callable[[], Iterable[str]]  # each call begins with the first line
    origin: str

    def __iter__(self) -> Iterator[list[str]]:
        for text in self.texts():
            words = words_of(text)
            for start in range(0, len(words), LONGEST):
                yield words[start : start + LONGEST]


@dataclass(frozen=True)
class WordCounts:
    """How often each word stands in a corpus."""

    counts: Mapping[str, int]
    sentences: int
    words: int

    def frequent(self, minimum: int, most: int) -> dict[str, int]:
        """Return the counts of the words that come so often, at most `most` of them; the most frequent first."""
        ranked = sorted(self.counts.items(), key=lambda item: (-item[1], item[0]))
        kept = {word: count for word, count in ranked[:most] if count >= minimum}
        if len(kept) < 2:
            raise DataError(
                f"{len(kept)} of {len(self.counts):,} different words stand {minimum} or more times in the corpus of "
                f"{self.words:,} words. Use model.minimum_count=1, or give more text."
            )
        return kept


def load_sentences(names: Sequence[str]) -> Sentences:
    """Return the corpus of a demo, or of text files one after the other."""
    if names_demo(names):
        demo_name(names, False, DEMOS)
        return Sentences(royals.texts, names[0])
    paths = [Path(name) for name in names]
    for path in paths:
        with open_input(path):  # a name that is mistyped is told before the files before it are read
            pass
    return Sentences(lambda: (line.text for path in paths for line in read_lines(path)), origin_of(names))


def count_words(sentences: Iterable[Sequence[str]]) -> WordCounts:
    """Return how often each word comes; refuse what is no text of a language."""
    counts: Counter[str] = Counter()
    number = 0
    for words in sentences:
        number += 1
        counts.update(words)
        if len(counts) > MOST_DIFFERENT:
            raise DataError(
                f"There are more than {MOST_DIFFERENT:,} different words in the first {number:,} sentences, such as "
                f"{words[-1][:60]!r}. That is no text of a language: leave out numbers and codes."
            )
    return WordCounts(counts, number, counts.total())


def words_of(text: str) -> list[str]:
    """Return the words of a line."""
    return _word().findall(unicodedata.normalize("NFC", text.lower()))


@functools.cache
def _word() -> re.Pattern[str]:
    # To Python, vowel signs of Indic scripts and accents that do not compose are no letters: they would part words.
    marks = "".join(filter(_is_mark, map(chr, range(0x300, 0x1E950))))
    return re.compile(rf"\w[\w{marks}]*")


def _is_mark(sign: str) -> bool:
    return unicodedata.category(sign) in ("Mn", "Mc")
