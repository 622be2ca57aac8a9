"""How each kind of panel is drawn: readable in grey, numbers written into small matrices, no text cut off."""

from itertools import cycle
from typing import Any, assert_never

import numpy
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from heed.files.quoting import shortened
from heed.inspection.figures import literal
from heed.inspection.panels import Boxes, BranchState, Curves, HeatMap, Numbers, Panel, Picture, Tree

MOST_WRITTEN = 200  # cells of a matrix whose numbers are written in
LONGEST_NAME = 34  # characters
LONGEST_WORD = 12  # characters in a box
LONGEST_FLAT = 7  # characters of a name over a column that need not be turned
BOXES_IN_A_LINE = 14
LETTER = 0.078  # inches of a character of a name
# A colour, a dash and a mark for each line: any one of them tells the lines apart.
LINES = (
    ("#0072B2", "-", "o"),
    ("#D55E00", "--", "s"),
    ("#009E73", "-.", "^"),
    ("#4D4D4D", ":", "D"),
    ("#CC79A7", (0, (5, 1, 1, 1)), "v"),
)
MARKS_ON_A_CURVE = 8
# How the places of a tree look: colour of the words, frame and weight of the frame.
LOOKS: dict[BranchState, tuple[str, str, float]] = {
    "best": ("black", "black", 2.2),
    "kept": ("black", "0.4", 1.0),
    "ended": ("black", "0.4", 1.0),
    "dropped": ("0.55", "0.8", 0.8),
}


def size_of(panel: Panel) -> tuple[float, float]:
    """Return how many inches wide and high a panel wants to be."""
    match panel:
        case HeatMap() if not panel.rows:
            return 4.4, 4.2
        case HeatMap():
            longest = max(len(_shown(name)) for name in panel.rows)
            above = max(len(_shown(name)) for name in panel.columns)
            cells = max(0.62 * len(panel.columns), LETTER * len(panel.title))
            return 0.3 + LETTER * longest + cells, 0.7 + 0.36 * len(panel.rows) + (
                0.055 * above if above > LONGEST_FLAT else 0.2
            )
        case Curves():
            return 4.6, 3.6
        case Tree():
            steps = max(branch.step for branch in panel.branches)
            return 0.6 + 1.75 * steps, 0.7 + 0.36 * len(_leaves(panel))
        case Boxes():
            lines = -(-len(panel.words[0]) // BOXES_IN_A_LINE)
            return 1.4 + 0.85 * min(BOXES_IN_A_LINE, len(panel.words[0])), 0.5 + lines * (0.4 * len(panel.rows) + 0.3)
        case Picture():
            return 4.2, 4.2
        case _:
            assert_never(panel)


def draw_panel(axes: Axes, panel: Panel) -> None:
    """Draw one panel."""
    match panel:
        case HeatMap():
            _draw_heat_map(axes, panel)
        case Curves():
            _draw_curves(axes, panel)
        case Tree():
            _draw_tree(axes, panel)
        case Boxes():
            _draw_boxes(axes, panel)
        case Picture():
            _draw_picture(axes, panel)
        case _:
            assert_never(panel)
    axes.set_title(_shown(panel.title, 90), fontsize=9)


def _draw_heat_map(axes: Axes, panel: HeatMap) -> None:
    values = _array(panel.values)
    axes.tick_params(length=0, labelsize=8)
    if not panel.rows:
        shades = axes.imshow(values, cmap="Greys", aspect="auto")
        axes.set_xlabel(panel.across, fontsize=8)
        axes.set_ylabel("position", fontsize=8)
        axes.figure.colorbar(shades, ax=axes, shrink=0.8).ax.tick_params(labelsize=7)
        return
    low, high = _range(values)
    axes.imshow(values, cmap="Greys", aspect="auto", vmin=low, vmax=high)
    turned = max(len(_shown(name)) for name in panel.columns) > LONGEST_FLAT
    names = [_shown(name) for name in panel.columns]
    axes.set_xticks(range(len(names)), names, rotation=40 if turned else 0, ha="left" if turned else "center")
    axes.set_yticks(range(len(panel.rows)), [_shown(name) for name in panel.rows])
    axes.xaxis.tick_top()
    if values.size <= MOST_WRITTEN:
        _write_numbers(axes, panel, values)
    for row, column in panel.marked:
        axes.add_patch(
            Rectangle((column - 0.47, row - 0.46), 0.94, 0.92, fill=False, edgecolor="#D55E00", linewidth=2.4)
        )


def _write_numbers(axes: Axes, panel: HeatMap, values: NDArray[numpy.float64]) -> None:
    # The number beside the shade: colour is never the only carrier of meaning.
    low, high = _range(values)
    for (row, column), value in numpy.ndenumerate(values):
        if numpy.isnan(value):
            axes.add_patch(
                Rectangle((column - 0.5, row - 0.5), 1, 1, fill=False, hatch="xxx", edgecolor="0.75", linewidth=0)
            )
            continue
        dark = (value - low) / (high - low) > 0.55
        # The sum makes a negative zero positive.
        text = f"{round(value, panel.decimals) + 0.0:.{panel.decimals}f}"
        axes.text(column, row, text, ha="center", va="center", fontsize=8, color="white" if dark else "black")


def _array(values: Numbers) -> NDArray[numpy.float64]:
    return numpy.asarray([[numpy.nan if value is None else value for value in row] for row in values], dtype=float)


def _range(values: NDArray[numpy.float64]) -> tuple[float, float]:
    """Return the numbers of white and of black; a little beyond the largest, so that a frame is seen on it."""
    low, high = min(0.0, float(numpy.nanmin(values))), float(numpy.nanmax(values))
    return low, high + 0.15 * (high - low) if high > low else low + 1.0


def _draw_curves(axes: Axes, panel: Curves) -> None:
    for curve, (colour, dashes, mark) in zip(panel.curves, cycle(LINES), strict=False):
        every = max(1, len(curve.x) // MARKS_ON_A_CURVE)
        # Any: arguments of several types for the drawing library.
        style: dict[str, Any] = {
            "color": colour,
            "linestyle": dashes,
            "marker": mark,
            "markersize": 4,
            "markevery": every,
        }
        axes.plot(curve.x, curve.y, label=_shown(curve.name, 48), linewidth=1.6, **style)
    if panel.logarithmic:
        axes.set_yscale("log")
    axes.set_xlabel(panel.across, fontsize=8)
    axes.set_ylabel(panel.up, fontsize=8)
    axes.grid(color="0.9", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(labelsize=8, length=0)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.legend(fontsize=8, frameon=False)


def _draw_tree(axes: Axes, panel: Tree) -> None:
    heights = _heights(panel)
    for place, branch in enumerate(panel.branches):
        colour, frame, weight = LOOKS[branch.state]
        start = (
            (0.0, _middle(heights))
            if branch.parent is None
            else (panel.branches[branch.parent].step, heights[branch.parent])
        )
        axes.plot([start[0], branch.step], [start[1], heights[place]], color=frame, linewidth=weight, zorder=1)
        box = {"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": frame, "linewidth": weight}
        style: dict[str, Any] = {
            "ha": "center",
            "va": "center",
            "fontsize": 8,
            "color": colour,
            "bbox": box,
            "zorder": 2,
        }
        axes.text(branch.step, heights[place], _shown(branch.label), **style)
    axes.text(
        0,
        _middle(heights),
        "start",
        ha="center",
        va="center",
        fontsize=8,
        bbox={"facecolor": "white", "edgecolor": "0.4"},
    )
    axes.set_xlim(-0.3, max(branch.step for branch in panel.branches) + 0.5)
    axes.set_ylim(max(heights) + 0.7, min(heights) - 0.7)
    axes.axis("off")


def _leaves(panel: Tree) -> list[int]:
    """Return the branches on which no other hangs, in the order in which they are drawn from top to bottom."""
    children: dict[int | None, list[int]] = {}
    for place, branch in enumerate(panel.branches):
        children.setdefault(branch.parent, []).append(place)
    leaves, waiting = [], list(reversed(children.get(None, [])))
    while waiting:
        place = waiting.pop()
        hanging = children.get(place, [])
        waiting.extend(reversed(hanging))
        if not hanging:
            leaves.append(place)
    return leaves


def _heights(panel: Tree) -> list[float]:
    """Return how far down each branch stands: leaves one below the other, all else amid what hangs on it."""
    heights = [0.0] * len(panel.branches)
    for height, place in enumerate(_leaves(panel)):
        heights[place] = float(height)
    # Children stand behind their parents in the list: from the end, theirs are known.
    for place in reversed(range(len(panel.branches))):
        hanging = [heights[child] for child, branch in enumerate(panel.branches) if branch.parent == place]
        if hanging:
            heights[place] = sum(hanging) / len(hanging)
    return heights


def _middle(heights: list[float]) -> float:
    return (min(heights) + max(heights)) / 2


def _draw_boxes(axes: Axes, panel: Boxes) -> None:
    columns = len(panel.words[0])
    high = len(panel.rows) + 0.7  # of one line of boxes, with what parts it from the next
    for row, (words, shades) in enumerate(zip(panel.words, panel.shades, strict=True)):
        for column, (word, shade) in enumerate(zip(words, shades, strict=True)):
            x, y = column % BOXES_IN_A_LINE, row + high * (column // BOXES_IN_A_LINE)
            axes.add_patch(Rectangle((x, y), 0.94, 0.86, facecolor=str(1 - shade), edgecolor="0.4", linewidth=0.8))
            axes.text(x + 0.47, y + 0.43, _shown(word, LONGEST_WORD), ha="center", va="center", fontsize=8)
        for line in range(-(-columns // BOXES_IN_A_LINE)):
            axes.text(-0.12, row + high * line + 0.43, panel.rows[row], ha="right", va="center", fontsize=8)
    axes.set_xlim(-0.1, min(columns, BOXES_IN_A_LINE))
    axes.set_ylim(high * -(-columns // BOXES_IN_A_LINE) - 0.6, -0.1)
    axes.axis("off")


def _draw_picture(axes: Axes, panel: Picture) -> None:
    pixels = numpy.asarray(panel.pixels, dtype=numpy.uint8)
    axes.imshow(pixels, interpolation="nearest")
    side = len(pixels)
    for edge in range(panel.cut, side, panel.cut):
        for line in (axes.axvline, axes.axhline):
            line(edge - 0.5, color="white", linewidth=2.5)
    for number in range((side // panel.cut) ** 2):
        row, column = divmod(number, side // panel.cut)
        box = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none", "alpha": 0.8}
        axes.text(column * panel.cut + 1, row * panel.cut + 2, str(number + 1), fontsize=8, va="center", bbox=box)
    axes.axis("off")


def _shown(text: str, longest: int = LONGEST_NAME) -> str:
    """Return a text as a picture can hold it; dollar signs are no mathematics."""
    return literal(shortened(text, longest))
