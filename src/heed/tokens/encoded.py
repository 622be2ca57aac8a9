"""What encoding gives: the pieces of one text, and the counts that say what a model could not see of many."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Encoded:
    """One text as pieces; the three tuples are equally long."""

    ids: tuple[int, ...]
    pieces: tuple[str, ...]
    # Start and end of each piece, in characters of the text that was given, before any normalisation.
    offsets: tuple[tuple[int, int], ...]
    # How many of the ids are "unknown".
    unknown: int


@dataclass(frozen=True, slots=True)
class TokenCounts:
    """How many tokens there were, how many of them unknown, and how many were cut off beyond a longest length."""

    tokens: int = 0
    unknown: int = 0
    cut: int = 0

    def __add__(self, other: "TokenCounts") -> "TokenCounts":
        return TokenCounts(self.tokens + other.tokens, self.unknown + other.unknown, self.cut + other.cut)

    def __str__(self) -> str:
        return (
            f"{self.tokens:,} tokens, {self.unknown:,} unknown ({_percent(self.unknown, self.tokens)}), "
            f"{self.cut:,} cut ({_percent(self.cut, self.tokens)})"
        )


def count_tokens(ids: Sequence[int], room: int, unknown: int) -> TokenCounts:
    """Return the counts of one text of which a model reads the first `room` tokens."""
    return TokenCounts(tokens=len(ids), unknown=ids.count(unknown), cut=max(0, len(ids) - room))


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f} %" if whole else "0.00 %"
