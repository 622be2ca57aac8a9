"""A score with its interval, as every evaluation prints it."""

from typing import Protocol


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
