"""`draw_shown`: the panels of a worked example as one figure, several beside each other where there is room."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib.figure import Figure, SubFigure

from heed.inspection.figures import check_ending, literal, new_figure, write_figure
from heed.inspection.panel_drawing import draw_panel, size_of
from heed.inspection.panels import Panel

if TYPE_CHECKING:
    from heed.inspection.shown import Shown

WIDEST = 14.0  # inches of panels beside each other
TITLE = 0.45  # inches
LEAST_SPARE = 2.0  # inches; with less the panels of a row are drawn a little wider
BETWEEN = 0.35  # inches that a row of panels has more than its highest one


def draw_shown(shown: "Shown", path: Path) -> None:
    """Write the picture; the file's ending chooses the format."""
    check_ending(path)
    write_figure(_figure(shown), path)


def shown_png(shown: "Shown") -> bytes:
    """Return the picture as PNG."""
    data = BytesIO()
    _figure(shown).savefig(data, format="png")
    return data.getvalue()


def _figure(shown: "Shown") -> Figure:
    rows = in_rows(shown.panels)
    widths = [sum(size_of(panel)[0] for panel in row) for row in rows]
    heights = [max(size_of(panel)[1] for panel in row) + BETWEEN for row in rows]
    width = max(*widths, 5.0)
    figure = new_figure(width, sum(heights) + TITLE)
    figure.suptitle(literal(shown.title), fontsize=12)
    parts = figure.subfigures(len(rows), 1, height_ratios=heights, squeeze=False)[:, 0]
    for part, row in zip(parts, rows, strict=True):
        _draw_row(part, row, width)
    return figure


def _draw_row(part: SubFigure, row: Sequence[Panel], width: float) -> None:
    """Draw panels beside each other, in their own widths: what is left over stays empty."""
    widths = [size_of(panel)[0] for panel in row]
    spare = width - sum(widths)
    ratios = [*widths, spare] if spare > LEAST_SPARE else widths
    places = part.subplots(1, len(ratios), width_ratios=ratios, squeeze=False)[0]
    for axes in places[len(row) :]:
        axes.axis("off")
    for axes, panel in zip(places, row, strict=False):
        draw_panel(axes, panel)


def in_rows(panels: Sequence[Panel]) -> list[list[Panel]]:
    """Return the panels in their order, as many in a row as there is room for."""
    rows: list[list[Panel]] = []
    for panel in panels:
        if rows and sum(size_of(each)[0] for each in [*rows[-1], panel]) <= WIDEST:
            rows[-1].append(panel)
        else:
            rows.append([panel])
    return rows
