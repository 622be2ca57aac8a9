"""The records that tasks learn from: plain text, before any tokens."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TextPair:
    """A source text and the text to make of it; `place` is "path:line", for messages and reports."""

    source: str
    target: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class LabelledText:
    """A text (or two, for pairs) and what is to be said of it; `place` is "path:line", for messages and reports."""

    texts: tuple[str, ...]  # one for `classify`, two for `pair`
    label: str  # as written, stripped; "" only where a file without labels is read for prediction
    place: str = ""
