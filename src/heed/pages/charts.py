"""What charts are made of: axes with round numbers, grids, lines and words, as SVG that follows the page's colours."""

import math
from collections.abc import Sequence

from heed.pages.markup import Markup, element, together

WIDTH = 760  # of a chart, in its own units


class Axis:
    """Numbers to places in the picture."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self.low, self.high, self.start, self.end = low, high, start, end

    def __call__(self, value: float) -> float:
        """Return the place of a number; what lies beyond an end is put there."""
        share = (min(max(value, self.low), self.high) - self.low) / ((self.high - self.low) or 1)
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self) -> list[float]:
        """Return up to nine round numbers within the axis."""
        span = (self.high - self.low) or 1
        power = 10.0 ** math.floor(math.log10(span / 5))
        step = next(power * factor for factor in (1, 2, 5, 10) if span / (power * factor) <= 8)
        first = math.ceil(self.low / step)
        return [round(number * step, 10) for number in range(first, math.floor(self.high / step) + 1)]


def vertical_grid(across: Axis, top: float, bottom: float) -> Markup:
    """Return a line at each round number of the horizontal axis, with the number below."""
    parts = []
    for tick in across.ticks():
        parts.append(line(across(tick), top, across(tick), bottom, "grid"))
        parts.append(words(number_text(tick), across(tick), bottom + 16, anchor="middle", class_="soft"))
    return together(parts)


def horizontal_grid(up: Axis, across: Axis) -> Markup:
    """Return a line at each round number of the vertical axis, with the number before it."""
    parts = []
    for tick in up.ticks():
        parts.append(line(across.start, up(tick), across.end, up(tick), "grid"))
        parts.append(words(number_text(tick), across.start - 8, up(tick) + 4, anchor="end", class_="soft"))
    return together(parts)


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Markup:
    """Return a straight line; `kind` is its class in the style."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=kind)


def words(text: str, x: float, y: float, anchor: str | None = None, class_: str | None = None) -> Markup:
    """Return a text in the picture."""
    return element("text", text, x=round(x, 1), y=round(y, 1), text_anchor=anchor, class_=class_)


def number_text(value: float) -> str:
    """Return a number as an axis shows it."""
    return f"{value:g}".replace("-", "−")


def picture(parts: Sequence[Markup], height: float, described: str, width: int = WIDTH) -> Markup:
    """Return the parts as one picture; `described` is what it says to those who cannot see it."""
    box = f"0 0 {width} {height:.0f}"
    return element("svg", *parts, viewBox=box, role="img", aria_label=described, class_="chart")
