"""The pictures of the page: SVG of our own, which follows the colours of the page by day and by night, and is small."""

import math

from heed.comparing.results import Comparison
from heed.comparing.series import Curve, Drawing, Mark, Series, drawing_of
from heed.files.quoting import shortened
from heed.pages.charts import WIDTH, Axis, horizontal_grid, line, picture, vertical_grid, words
from heed.pages.markup import Markup, element, together

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
    across = Axis(*drawing.score_range, left, right)
    parts = [vertical_grid(across, 20, bottom), *_baseline(drawing, across, bottom)]
    for each, name in zip(drawing.series, names, strict=True):
        parts.append(_score_row(each, name, drawing, across))
    title = f"{drawing.scale.title}{drawing.scale.unit} on the test data"
    parts.append(words(title, (left + right) / 2, bottom + 36, anchor="middle", class_="soft"))
    described = "; ".join(f"{each.name} {drawing.scale.interval(each.standing.score)}" for each in drawing.series)
    return picture(parts, bottom + 44, f"{title}: {described}").text


def curve_svg(comparison: Comparison) -> str:
    """Return the learning curves as SVG, or nothing where no contender was validated while it trained."""
    drawing = drawing_of(comparison)
    if not drawing.curves:
        return ""
    curves = [curve for each in drawing.curves for curve in (each.mean_curve, *each.seed_curves)]
    times = [time for curve in curves for time in curve.times]
    across = Axis(0, 1.03 * max(times) or 1, 56, WIDTH - 16)
    up = Axis(*drawing.curve_range, 20 + TALL, 20)
    parts = [horizontal_grid(up, across), vertical_grid(across, 20, 20 + TALL)]
    parts += [_curves_of(each, across, up) for each in reversed(drawing.curves)]  # the best on top
    parts.append(words(f"{drawing.scale.title}{drawing.scale.unit} on the validation data", 8, 12, class_="soft"))
    parts.append(words(f"{drawing.time_unit} of training", WIDTH - 16, TALL + 56, anchor="end", class_="soft"))
    legend, bottom = _legend(drawing, TALL + 78)
    described = ", ".join(each.name for each in drawing.curves)
    return picture([*parts, legend], bottom, f"Validation score over the time of training of {described}").text


def _score_row(each: Series, name: str, drawing: Drawing, across: Axis) -> Markup:
    middle = 26 + ROW * (each.place + 0.5)
    parts = [words(name, across.start - 12, middle + 4, anchor="end")]
    if each.low is not None and each.high is not None:
        parts.append(line(across(each.low), middle, across(each.high), middle, "interval"))
    if len(each.seeds) > 1:
        # A little below the line, so that seeds that hit the mean stay visible.
        parts += [element("circle", cx=across(seed), cy=middle + 10.5, r=2.6, class_="seed") for seed in each.seeds]
    if math.isfinite(each.mean):
        parts.append(_mark(each.mark, across(each.mean), middle, 7))
    parts.append(words(drawing.scale.interval(each.standing.score), across.end + 12, middle + 4))
    return element("g", *parts, class_=f"c{each.colour}")


def _baseline(drawing: Drawing, across: Axis, bottom: float) -> list[Markup]:
    if drawing.baseline is None or not math.isfinite(drawing.baseline.mean):
        return []
    place = across(drawing.baseline.mean)
    name = f"baseline {shortened(drawing.baseline.name, LONGEST_NAME)}"
    anchor = "end" if place > WIDTH / 2 else "start"
    return [line(place, 20, place, bottom, "baseline"), words(name, place, 12, anchor=anchor, class_="soft")]


def _curves_of(each: Series, across: Axis, up: Axis) -> Markup:
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
        stroke = line(x, y, x + 28, y, "mean dashed" if each.dashed else "mean")
        name = words(shortened(each.name, LONGEST_NAME), x + 36, y + 4)
        entries.append(element("g", stroke, _mark(each.mark, x + 14, y, 5.5), name, class_=f"c{each.colour}"))
    return together(entries), top + 22.0 * math.ceil(len(entries) / 3)


def _path(curve: Curve, across: Axis, up: Axis, kind: str) -> Markup:
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
