"""Numbers along a text as lines: where an answer may start, and where it may end."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy

from heed.files.quoting import shortened
from heed.inspection.page.held import label_text
from heed.inspection.page.shares import strongest
from heed.pages.markup import Child, Markup, element, together
from heed.pages.parts import table

if TYPE_CHECKING:
    from heed.inspection.explanation import Axis, Curve, Explanation, Numbers

WIDTH, TALL, LEFT, TOP = 760, 180, 40, 34
MOST_POINTS = 1_000  # points of a line; of more pieces, the largest of each group is drawn
MOST_LABELS = 36  # pieces that can be named below the line
PEAKS = 5  # rows of the table
SHORT = 14  # characters of a name in the picture


def curves_section(explanation: "Explanation") -> Markup:
    """Return the curves of each axis in one picture, and their peaks in a table."""
    names = dict.fromkeys(curve.axis for curve in explanation.curves)
    parts: list[Child] = []
    for name in names:
        axis = explanation.axis(name)
        curves = [curve for curve in explanation.curves if curve.axis == name]
        parts.append(element("figure", _picture(axis, curves)))
        parts.append(element("div", *(_peaks(axis, curve) for curve in curves), class_="choices"))
    return together(parts)


def _picture(axis: "Axis", curves: "Sequence[Curve]") -> Markup:
    highest = max((float(numpy.nan_to_num(curve.values_S).max(initial=0)) for curve in curves), default=0) or 1
    named = len(axis.labels) <= MOST_LABELS
    parts = [element("line", x1=LEFT, y1=_up(share), x2=WIDTH, y2=_up(share), class_="grid") for share in (0, 0.5, 1)]
    parts += [_text(f"{share * highest:.2g}", LEFT - 6, _up(share) + 4, "end", "soft") for share in (0, 0.5, 1)]
    parts += [_line(axis, curve, number, highest) for number, curve in enumerate(curves)]
    parts += _names_below(axis) if named else [_text(f"{len(axis.labels):,} pieces", WIDTH, _up(0) + 20, "end", "soft")]
    described = ", ".join(curve.name for curve in curves)
    box = f"0 0 {WIDTH + 10} {TOP + TALL + (70 if named else 30)}"
    return element("svg", *parts, viewBox=box, role="img", aria_label=f"Curves: {described}", class_="chart")


def _line(axis: "Axis", curve: "Curve", number: int, highest: float) -> Markup:
    """Return one curve; dashes and the shape of the mark tell the second from the first without any colour."""
    values_S = numpy.nan_to_num(curve.values_S)
    places_N = _places_to_draw(values_S)
    across = [_across(int(place), len(values_S)) for place in places_N]
    points = " ".join(f"{x},{_up(float(values_S[place]) / highest)}" for x, place in zip(across, places_N, strict=True))
    parts = [element("polyline", points=points, class_="curve")]
    for peak in strongest(values_S, 1):
        x, y = _across(peak, len(values_S)), _up(float(values_S[peak]) / highest)
        parts.append(element("circle", cx=x, cy=y, r=5, class_="peak"))
        anchor = "end" if x > WIDTH / 2 else "start"
        said = f"{curve.name}: {shortened(label_text(axis.labels[peak]), SHORT)}"
        parts.append(_text(said, x + (-9 if anchor == "end" else 9), y - 6 - 16 * (number % 2), anchor, None))
    return element("g", *parts, class_=f"curve{number % 2}")


def _places_to_draw(values_S: "Numbers") -> "numpy.typing.NDArray[numpy.int64]":
    groups = numpy.array_split(numpy.arange(len(values_S)), min(MOST_POINTS, max(1, len(values_S))))
    return numpy.array([group[values_S[group].argmax()] for group in groups if len(group)], dtype=numpy.int64)


def _names_below(axis: "Axis") -> list[Markup]:
    names = []
    for place, label in enumerate(axis.labels):
        x, y = _across(place, len(axis.labels)), _up(0) + 14
        turned = f"rotate(-45 {x} {y})"
        text = shortened(label_text(label), SHORT)
        names.append(element("text", text, x=x, y=y, text_anchor="end", transform=turned, class_="soft"))
    return names


def _peaks(axis: "Axis", curve: "Curve") -> Markup:
    places = strongest(curve.values_S, PEAKS)
    rows: list[list[Child]] = [
        [element("bdi", label_text(axis.labels[place])), f"{place + 1:,}", f"{float(curve.values_S[place]):.3f}"]
        for place in places
    ]
    return table(f"The highest of {curve.name}", ["Piece", "Place", "Value"], rows)


def _across(place: int, count: int) -> float:
    return round(LEFT + 10 + (WIDTH - LEFT - 20) * place / max(1, count - 1), 1)


def _up(share: float) -> float:
    return round(TOP + TALL * (1 - share), 1)


def _text(text: str, x: float, y: float, anchor: str, kind: str | None) -> Markup:
    return element("text", text, x=x, y=y, text_anchor=anchor, class_=kind)
