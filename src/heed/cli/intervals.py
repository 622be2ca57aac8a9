"""A score with its interval, as every evaluation prints it."""

import re
from typing import Protocol

_INTERVAL = re.compile(r"  \(95 % interval [^()]* to [^()]*\)")


class Bounds(Protocol):
    """Between which numbers a score would lie, measured on other examples of the same kind."""

    @property
    def low(self) -> float:
        """Return the lower one."""

    @property
    def high(self) -> float:
        """Return the upper one."""


def with_interval(score: float, interval: Bounds, form: str) -> str:
    """Return the score and its interval, each number written in this form, such as ".2%"."""
    return f"{score:{form}}  (95 % interval {interval.low:{form}} to {interval.high:{form}})"


def without_interval(line: str) -> str:
    """Return a line that `with_interval` wrote with its score alone."""
    return _INTERVAL.sub("", line)
