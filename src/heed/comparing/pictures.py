"""A comparison as a picture: scores with their intervals on the left, learning curves on the right."""

from pathlib import Path
from typing import Any, Literal

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from heed.comparing.results import Comparison
from heed.comparing.series import COLOURS, Drawing, Series, drawing_of
from heed.files.quoting import printable, shortened
from heed.inspection.figures import check_ending, literal, new_figure, write_figure

LONGEST_NAME = 32  # characters
MARKS_ON_A_CURVE = 8
FEWEST_ROWS = 6  # that the picture has the height of


def draw_comparison(comparison: Comparison, path: Path) -> None:
    """Write the picture; the file's ending chooses the format."""
    check_ending(path)
    drawing = drawing_of(comparison)
    height = 1.9 + 0.36 * max(FEWEST_ROWS, len(drawing.series))
    width = 12.0 if drawing.curves else 6.5
    figure = new_figure(width, height)
    figure.suptitle(_title(comparison), fontsize=10)
    columns = figure.subplots(1, 2 if drawing.curves else 1, squeeze=False)[0]
    _draw_scores(columns[0], drawing)
    if drawing.curves:
        _draw_curves(columns[1], drawing)
        handles = [_line(each, 2) for each in drawing.curves]
        names = [_shown(each.name) for each in drawing.curves]
        figure.legend(handles, names, loc="outside lower center", ncols=min(6, len(names)), fontsize=8, frameon=False)
    write_figure(figure, path)


def _draw_scores(axes: Axes, drawing: Drawing) -> None:
    below = 0.22 * len(drawing.series) / max(FEWEST_ROWS, len(drawing.series))
    for each in drawing.series:
        colour = COLOURS[each.colour]
        if each.low is not None and each.high is not None:
            axes.plot([each.low, each.high], [each.place] * 2, color=colour, linewidth=2, zorder=2)
        if len(each.seeds) > 1:
            # A little below the line, so that seeds that hit the mean stay visible.
            places = [each.place + below] * len(each.seeds)
            axes.scatter(each.seeds, places, s=14, facecolors="white", edgecolors=colour, linewidths=1, zorder=3)
        axes.plot([each.mean], [each.place], **_mark(each, 9), linestyle="none", zorder=4)
    if drawing.baseline is not None:
        _draw_baseline(axes, drawing.baseline)
    axes.set_xlim(*drawing.score_range)
    axes.set_ylim(len(drawing.series) - 0.5, -0.5)
    labels = [f"{_shown(each.name)}\n{drawing.scale.interval(each.standing.score)}" for each in drawing.series]
    axes.set_yticks(range(len(labels)), labels, fontsize=8)
    key = " (mark: mean, line: its 95 % interval over seeds, dots: seeds)" if drawing.has_seeds else ""
    axes.set_xlabel(f"{drawing.scale.title}{drawing.scale.unit} on the test data{key}", fontsize=8)
    _quieten(axes, "x")


def _draw_baseline(axes: Axes, baseline: Series) -> None:
    axes.axvline(baseline.mean, color="0.45", linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    axes.annotate(
        f"baseline {_shown(baseline.name)}",
        (baseline.mean, 1),
        xycoords=("data", "axes fraction"),
        xytext=(0, 3),
        textcoords="offset points",
        ha="center",
        fontsize=8,
        color="0.35",
    )


def _draw_curves(axes: Axes, drawing: Drawing) -> None:
    lowest, highest = drawing.curve_range
    for each in reversed(drawing.curves):  # the best on top
        if len(each.seed_curves) > 1:
            for curve in each.seed_curves:
                axes.plot(curve.times, curve.scores, color=COLOURS[each.colour], linewidth=0.7, alpha=0.45)
        line = _line(each, every=max(1, len(each.mean_curve.times) // MARKS_ON_A_CURVE))
        # What lies beyond the picture stands at its edge.
        within = [min(max(score, lowest), highest) for score in each.mean_curve.scores]
        line.set_data(each.mean_curve.times, within)
        axes.add_line(line)
    axes.autoscale_view()
    axes.set_xlim(left=0)
    axes.set_ylim(lowest, highest)
    key = " (thick: mean of the seeds)" if drawing.has_seeds else ""
    axes.set_xlabel(f"{drawing.time_unit} of training{key}", fontsize=8)
    axes.set_ylabel(f"{drawing.scale.title}{drawing.scale.unit} on the validation data", fontsize=8)
    _quieten(axes, "both")


def _line(each: Series, every: int) -> Line2D:
    style: tuple[float, tuple[float, ...]] = (0, (5, 2) if each.dashed else ())
    # Not clipped: a linear model ends so early that its only point lies on the edge.
    return Line2D([], [], linewidth=1.8, linestyle=style, markevery=every, clip_on=False, **_mark(each, 6))


def _mark(each: Series, size: float) -> dict[str, Any]:
    # Any: these are arguments of several types for the drawing library.
    mark = each.mark
    return {
        "marker": (mark.corners, int(mark.star), mark.angle),
        "markersize": size * mark.reach,
        "color": COLOURS[each.colour],
        "markeredgecolor": "white",
        "markeredgewidth": 0.6,
    }


def _quieten(axes: Axes, grid: Literal["x", "both"]) -> None:
    axes.grid(axis=grid, color="0.9", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(labelsize=8, length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)


def _title(comparison: Comparison) -> str:
    # The names of the files: in the width of a picture their folders would leave little of them.
    files = "; ".join(Path(origin).name for origin in comparison.origin.split("; "))
    data = f"{_shown(files, 60)}, {len(comparison.examples):,} test examples"
    return f"{_shown(comparison.task)}: {data}, {_shown(comparison.budget, 60)} for each model"


def _shown(text: str, longest: int = LONGEST_NAME) -> str:
    """Return a text as a picture can hold it, in one line."""
    return literal(shortened(printable(text), longest))
