"""The pictures of the page: SVG of our own, which follows the colours of the page by day and by night, and is small."""

import math

from heed.comparing.results import Comparison
from heed.comparing.series import Curve, Drawing, Mark, Series, drawing_of
from heed.files.quoting import shortened
from heed.pages.markup import Markup, element, together

WIDTH = 760
ROW = 36  # height of a contender's row
LETTER = 7.2  # width of a letter, about
LONGEST_NAME = 28  # characters
TALL = 300  # height of the field of curves
MARKS_ON_A_CURVE = 8


def scores_svg(comparison: Comparison) -> str:
    """Return the scores with their intervals, seeds and the baseline as SVG."""
    drawing = drawing_of(comparison)
    names = [shortened(each.name, LONGEST_NAME) for each in drawing.series]
    left, right = 16 + LETTER * max(map(len, names)), WIDTH - 110.0
    bottom = 26.0 + ROW * len(names)
    across = _Axis(*drawing.score_range, left, right)
    parts = [_vertical_grid(across, 20, bottom), *_baseline(drawing, across, bottom)]
    for each, name in zip(drawing.series, names, strict=True):
        parts.append(_score_row(each, name, drawing, across))
    title = f"{drawing.scale.title}{drawing.scale.unit} on the test data"
    parts.append(_text(title, (left + right) / 2, bottom + 36, anchor="middle", class_="soft"))
    described = "; ".join(f"{each.name} {drawing.scale.interval(each.standing.score)}" for each in drawing.series)
    return _picture(parts, bottom + 44, f"{title}: {described}").text


def curve_svg(comparison: Comparison) -> str:
    """Return the learning curves as SVG, or nothing where no contender was validated while it trained."""
    drawing = drawing_of(comparison)
    if not drawing.curves:
        return ""
    curves = [curve for each in drawing.curves for curve in (each.mean_curve, *each.seed_curves)]
    times = [time for curve in curves for time in curve.times]
    across = _Axis(0, 1.03 * max(times) or 1, 56, WIDTH - 16)
    up = _Axis(*drawing.curve_range, 20 + TALL, 20)
    parts = [_horizontal_grid(up, across), _vertical_grid(across, 20, 20 + TALL)]
    parts += [_curves_of(each, across, up) for each in reversed(drawing.curves)]  # the best on top
    parts.append(_text(f"{drawing.scale.title}{drawing.scale.unit} on the validation data", 8, 12, class_="soft"))
    parts.append(_text(f"{drawing.time_unit} of training", WIDTH - 16, TALL + 56, anchor="end", class_="soft"))
    legend, bottom = _legend(drawing, TALL + 78)
    described = ", ".join(each.name for each in drawing.curves)
    return _picture([*parts, legend], bottom, f"Validation score over the time of training of {described}").text


class _Axis:
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


def _score_row(each: Series, name: str, drawing: Drawing, across: _Axis) -> Markup:
    middle = 26 + ROW * (each.place + 0.5)
    parts = [_text(name, across.start - 12, middle + 4, anchor="end")]
    if each.low is not None and each.high is not None:
        parts.append(_line(across(each.low), middle, across(each.high), middle, "interval"))
    if len(each.seeds) > 1:
        # A little below the line, so that seeds that hit the mean stay visible.
        parts += [element("circle", cx=across(seed), cy=middle + 10.5, r=2.6, class_="seed") for seed in each.seeds]
    if math.isfinite(each.mean):
        parts.append(_mark(each.mark, across(each.mean), middle, 7))
    parts.append(_text(drawing.scale.interval(each.standing.score), across.end + 12, middle + 4))
    return element("g", *parts, class_=f"c{each.colour}")


def _baseline(drawing: Drawing, across: _Axis, bottom: float) -> list[Markup]:
    if drawing.baseline is None or not math.isfinite(drawing.baseline.mean):
        return []
    place = across(drawing.baseline.mean)
    name = f"baseline {shortened(drawing.baseline.name, LONGEST_NAME)}"
    anchor = "end" if place > WIDTH / 2 else "start"
    return [_line(place, 20, place, bottom, "baseline"), _text(name, place, 12, anchor=anchor, class_="soft")]


def _curves_of(each: Series, across: _Axis, up: _Axis) -> Markup:
    parts = []
    if len(each.seed_curves) > 1:
        parts += [_path(curve, across, up, "thin") for curve in each.seed_curves]
    curve = each.mean_curve
    parts.append(_path(curve, across, up, "mean dashed" if each.dashed else "mean"))
    for number in range(0, len(curve.times), max(1, len(curve.times) // MARKS_ON_A_CURVE)):
        parts.append(_mark(each.mark, across(curve.times[number]), up(curve.scores[number]), 5.5))
    return element("g", *parts, class_=f"c{each.colour}")


def _legend(drawing: Drawing, top: float) -> tuple[Markup, float]:
    """Return what stands for whom, three beside each other, and where it ends."""
    entries = []
    for number, each in enumerate(drawing.curves):
        x, y = 56 + 240.0 * (number % 3), top + 22.0 * (number // 3)
        line = _line(x, y, x + 28, y, "mean dashed" if each.dashed else "mean")
        name = _text(shortened(each.name, LONGEST_NAME), x + 36, y + 4)
        entries.append(element("g", line, _mark(each.mark, x + 14, y, 5.5), name, class_=f"c{each.colour}"))
    return together(entries), top + 22.0 * math.ceil(len(entries) / 3)


def _vertical_grid(across: _Axis, top: float, bottom: float) -> Markup:
    parts = []
    for tick in across.ticks():
        parts.append(_line(across(tick), top, across(tick), bottom, "grid"))
        parts.append(_text(_number(tick), across(tick), bottom + 16, anchor="middle", class_="soft"))
    return together(parts)


def _horizontal_grid(up: _Axis, across: _Axis) -> Markup:
    parts = []
    for tick in up.ticks():
        parts.append(_line(across.start, up(tick), across.end, up(tick), "grid"))
        parts.append(_text(_number(tick), across.start - 8, up(tick) + 4, anchor="end", class_="soft"))
    return together(parts)


def _path(curve: Curve, across: _Axis, up: _Axis, kind: str) -> Markup:
    points = [f"{across(time)},{up(score)}" for time, score in zip(curve.times, curve.scores, strict=True)]
    return element("polyline", points=" ".join(points), class_=kind)


def _mark(mark: Mark, x: float, y: float, radius: float) -> Markup:
    corners = 2 * mark.corners if mark.star else mark.corners
    points = []
    for corner in range(corners):
        # Upwards is a quarter turn back, because y grows downwards here; angles turn against the clock.
        angle = 2 * math.pi * corner / corners - math.radians(mark.angle) - math.pi / 2
        reach = mark.reach * radius * (0.42 if mark.star and corner % 2 else 1)
        points.append(f"{x + reach * math.cos(angle):.1f},{y + reach * math.sin(angle):.1f}")
    return element("polygon", points=" ".join(points), class_="mark")


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Markup:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=kind)


def _text(text: str, x: float, y: float, anchor: str | None = None, class_: str | None = None) -> Markup:
    return element("text", text, x=round(x, 1), y=round(y, 1), text_anchor=anchor, class_=class_)


def _number(value: float) -> str:
    return f"{value:g}".replace("-", "−")


def _picture(parts: list[Markup], height: float, described: str) -> Markup:
    box = f"0 0 {WIDTH} {height:.0f}"
    return element("svg", *parts, viewBox=box, role="img", aria_label=described, class_="chart")
