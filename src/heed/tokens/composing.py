"""Unicode composition (NFC) that remembers where every character came from.

"é" may be typed as one character or as "e" and an accent. Composing makes one of both; the library composes too, but
its offsets leave the accent out ("été" in five characters would end before its last accent). So text that is not yet
composed is composed here, and the offsets of the composed text are led back to the text that was given.
"""

import itertools
import unicodedata
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Composed:
    """A text in NFC; `spans[i]` is the start and end of its character i in the text that was given."""

    text: str
    spans: tuple[tuple[int, int], ...]

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Return where the composed characters start..end stood in the text that was given."""
        if start == end:
            place = self.spans[start][0] if start < len(self.spans) else (self.spans[-1][1] if self.spans else 0)
            return place, place
        return self.spans[start][0], self.spans[end - 1][1]


def compose(text: str) -> Composed:
    """Compose the text and note the origin of each character."""
    characters: list[str] = []
    spans: list[tuple[int, int]] = []
    for start, end in _groups(text):
        composed = unicodedata.normalize("NFC", text[start:end])
        characters.append(composed)
        spans.extend(_spans_of_group(len(composed), start, end))
    return Composed("".join(characters), tuple(spans))


def _groups(text: str) -> list[tuple[int, int]]:
    """Cut the text into the shortest stretches that compose independently of their neighbours."""
    starts: list[int] = []
    for place, character in enumerate(text):
        if not starts or not (unicodedata.combining(character) or _joins_syllable(text, starts[-1], place)):
            starts.append(place)
    return list(itertools.pairwise([*starts, len(text)]))


def _joins_syllable(text: str, start: int, place: int) -> bool:
    """Tell whether the letter at `place` composes with those before it, as Korean vowels and some Indic signs do."""
    if text[place].isascii():  # never does; most letters are done with here
        return False
    before, letter = text[start:place], text[place]
    apart = unicodedata.normalize("NFC", before) + unicodedata.normalize("NFC", letter)
    return unicodedata.normalize("NFC", before + letter) != apart


def _spans_of_group(length: int, start: int, end: int) -> list[tuple[int, int]]:
    """Place the composed characters of one group one by one, the first taking what composition swallowed."""
    swallowed = (end - start) - length
    if swallowed < 0:  # a few characters grow in NFC (U+0958): all parts stand where the one stood
        return [(start, end)] * length
    first_end = start + swallowed + 1
    return [(start, first_end), *((place, place + 1) for place in range(first_end, end))]
