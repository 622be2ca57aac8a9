"""The records that tasks learn from: plain text before any tokens, pictures before any are read."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from PIL.Image import Image


@dataclass(frozen=True, slots=True)
class TextPair:
    """A source text and the text to make of it; `place` is "path:line", for messages and reports."""

    source: str
    target: str
    place: str = ""
    group: str | None = field(default=None, repr=False)  # the value of the column that a split keeps together


@dataclass(frozen=True, slots=True)
class LabelledText:
    """A text (or two, for pairs) and what is to be said of it; `place` is "path:line", for messages and reports."""

    texts: tuple[str, ...]  # one for `classify`, two for `pair`
    label: str  # as written, stripped; "" only where a file without labels is read for prediction
    place: str = ""
    group: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class AnswerText:
    """An answer as it stands in a paragraph: the characters from `start` on are `text`."""

    text: str
    start: int

    @property
    def end(self) -> int:
        """Return the character after the last."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Question:
    """A question on a paragraph, and the answers that people gave; `place` is where in which file it stands."""

    id: str
    title: str  # of what the paragraph is from; "" where there is none
    context: str  # the paragraph, not a character changed, for answers are counted in its characters
    question: str
    answers: tuple[AnswerText, ...]  # none where the paragraph does not answer it
    impossible: bool = False
    place: str = ""


@dataclass(frozen=True, slots=True)
class TaggedText:
    """A sentence as words, each with its tag; `place` is "path:line" of the first word, for messages and reports."""

    words: tuple[str, ...]
    tags: tuple[str, ...]  # of entities in IOB2, whatever the file has; or plain labels, such as parts of speech
    place: str = ""

    @property
    def text(self) -> str:
        """Return the words with one space between."""
        return " ".join(self.words)


class Drawing(Protocol):
    """A picture that is drawn when it is wanted, not read from a file."""

    @property
    def name(self) -> str:
        """Return what messages and reports call it."""
        ...

    def draw(self) -> "Image":
        """Return the picture, the same each time."""
        ...


ImageSource = Path | Drawing


@dataclass(frozen=True, slots=True)
class LabelledImage:
    """A picture and what it shows; `place` is where that was said, for messages and reports."""

    source: ImageSource
    label: str
    place: str = ""
    group: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class CaptionedImage:
    """A picture and what people said of it; `place` is where that was said, for messages and reports."""

    source: ImageSource
    captions: tuple[str, ...]  # one or more
    place: str = ""
    group: str | None = field(default=None, repr=False)
