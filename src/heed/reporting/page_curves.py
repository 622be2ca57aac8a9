"""The curves of a training as pictures: the losses in one, each score and the learning rate in one of its own."""

from collections.abc import Sequence
from dataclasses import dataclass

from heed.pages.charts import WIDTH, Axis, horizontal_grid, line, picture, words
from heed.pages.markup import Markup, element, together
from heed.reporting.facts import RunFacts
from heed.reporting.numbers import spelled
from heed.reporting.progress import Point, names_of
from heed.reporting.wording import title_of

TALL, LOW = 240, 130  # heights of the field of a large and of a small chart
NARROW = 372  # width of a small chart
LEFT, TOP = 62, 26
MOST_SCORES = 20  # that have a chart
MOST_MARKS = 40  # validations that are marked one by one


@dataclass(frozen=True)
class Curve:
    """One line of a chart."""

    name: str
    kind: str  # "trained" is thin; "validated" is thick, and its points are marked
    points: Sequence[tuple[int, float]]


@dataclass(frozen=True)
class Chart:
    """Curves that share a picture."""

    title: str
    curves: Sequence[Curve]
    best: tuple[int, float] | None  # step and value of the best validation
    width: int
    tall: int


def curves_section(facts: RunFacts) -> Markup:
    """Return all charts, or nothing where the run has logged no step."""
    drawn = [_figure(chart) for chart in _charts(facts)]
    if not drawn:
        return Markup("")
    large, *small = drawn
    told = "Thin: each step of the training. Thick, with points: the validations. Ring and dashed line: the best one."
    return together([large, element("div", *small, class_="small"), element("p", element("small", told))])


def _charts(facts: RunFacts) -> list[Chart]:
    training, validations = facts.progress.training, facts.progress.validations
    losses = [
        Curve("training", "trained", _points(training, "loss")),
        Curve("validation", "validated", _points(validations, "loss")),
    ]
    charts = [Chart("Loss", losses, _best(facts, "loss"), WIDTH, TALL)]
    chosen_by = None if facts.best is None else facts.best.name
    # What the best weights are chosen by comes first.
    for name in sorted(names_of(validations)[:MOST_SCORES], key=lambda name: name != chosen_by):
        if name != "loss":
            curve = Curve("validation", "validated", _points(validations, name))
            charts.append(Chart(title_of(name), [curve], _best(facts, name), NARROW, LOW))
    rate = Curve("learning rate", "trained", _points(training, "learning_rate"))
    charts.append(Chart("learning rate", [rate], None, NARROW, LOW))
    return [chart for chart in charts if any(_is_worth_it(curve) for curve in chart.curves)]


def _is_worth_it(curve: Curve) -> bool:
    """Tell whether there is something to see: a learning rate that is zero throughout is none."""
    return any(value != 0 for _, value in curve.points) or (curve.kind == "validated" and bool(curve.points))


def _points(points: Sequence[Point], name: str) -> list[tuple[int, float]]:
    return [(point.step, point.values[name]) for point in points if name in point.values]


def _best(facts: RunFacts, name: str) -> tuple[int, float] | None:
    best = facts.best
    return None if best is None or name not in best.values else (best.step, best.values[name])


def _figure(chart: Chart) -> Markup:
    points = [point for curve in chart.curves for point in curve.points]
    across = Axis(0, max(step for step, _ in points) or 1, LEFT, chart.width - 16)
    up = Axis(*_range([value for _, value in points]), TOP + chart.tall, TOP)
    parts = [horizontal_grid(up, across), _steps_below(across, chart)]
    parts += [_drawn(curve, across, up) for curve in chart.curves]
    parts += _best_mark(chart, across, up)
    parts += [words(chart.title, 8, 13), *_names(chart)]
    described = f"{chart.title} over the steps of training: {_described(chart)}"
    drawn = picture(parts, TOP + chart.tall + 40, described, chart.width)
    if chart.width < WIDTH:
        return element("figure", drawn)
    # On a narrow screen the large one scrolls, also by keyboard: shrunk, its words could not be read.
    return element("figure", drawn, class_="scroll large", role="region", aria_label=chart.title, tabindex="0")


def _range(values: Sequence[float]) -> tuple[float, float]:
    """Return a range that holds the values with a little air."""
    low, high = min(values), max(values)
    air = 0.05 * (high - low) or 0.05 * abs(high) or 0.5
    return low - air, high + air


def _steps_below(across: Axis, chart: Chart) -> Markup:
    bottom = TOP + chart.tall
    step = words("step", chart.width - 16, bottom + 34, anchor="end", class_="soft")
    # Fewer numbers fit below a small chart: every second, where there are many.
    ticks = across.ticks() if chart.width == WIDTH else across.ticks()[:: 1 + (len(across.ticks()) > 5)]
    below = [words(f"{tick:,.10g}", across(tick), bottom + 16, anchor="middle", class_="soft") for tick in ticks]
    return together([line(across.start, bottom, across.end, bottom, "grid"), *below, step])


def _drawn(curve: Curve, across: Axis, up: Axis) -> Markup:
    places = [(across(step), up(value)) for step, value in curve.points]
    parts = [element("polyline", points=" ".join(f"{x},{y}" for x, y in places))]
    if curve.kind == "validated" and len(places) <= MOST_MARKS:
        parts += [element("circle", cx=x, cy=y, r=3.4) for x, y in places]
    return element("g", *parts, class_=curve.kind)


def _best_mark(chart: Chart, across: Axis, up: Axis) -> list[Markup]:
    if chart.best is None:
        return []
    step, value = chart.best
    place = across(step)
    return [
        line(place, TOP, place, TOP + chart.tall, "best"),
        element("circle", cx=place, cy=up(value), r=7.5, class_="best"),
        words(f"best {spelled(value)} at step {step:,}", chart.width - 16, 13, anchor="end", class_="soft"),
    ]


def _names(chart: Chart) -> list[Markup]:
    """Return what each line is, beside the title, where there are several."""
    curves = [curve for curve in chart.curves if curve.points]
    if len(curves) < 2:
        return []
    parts = []
    for number, curve in enumerate(curves):
        x = 150.0 + 130 * number
        sample = Curve("", curve.kind, [(0, 0), (1, 0)])
        parts.append(_drawn(sample, Axis(0, 1, x, x + 28), Axis(0, 1, 9, 9)))
        parts.append(words(curve.name, x + 38, 13))
    return parts


def _described(chart: Chart) -> str:
    said = [
        f"{curve.name} from {spelled(curve.points[0][1])} to {spelled(curve.points[-1][1])}"
        for curve in chart.curves
        if curve.points
    ]
    best = [] if chart.best is None else [f"best {spelled(chart.best[1])} at step {chart.best[0]:,}"]
    return ", ".join([*said, *best])
