"""The records that tasks learn from: plain text, before any tokens."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TextPair:
    """A source text and the text to make of it; `place` is "path:line", for messages and reports."""

    source: str
    target: str
    place: str = ""
