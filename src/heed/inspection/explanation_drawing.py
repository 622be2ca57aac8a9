"""An explanation as one figure: what moved the answer, and what the last attention looked at."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy
from matplotlib.axes import Axes
from numpy.typing import NDArray
from PIL import Image

from heed.inspection.explanation import Axis, Explanation, Looked, Numbers, Share
from heed.inspection.figures import literal, new_figure, write_figure

MOST_BARS = 40  # the words that moved most; more cannot be read
MOST_TICKS = 64  # labels beside a field of weights
MOST_HEATS = 12  # pictures, one for each word
MOST_SIGNS = 400  # patches with a sign in them; in more it could not be read
WIDEST = 11.0  # inches
TOWARDS, AWAY = "#1f4e79", "#c05000"


@dataclass(frozen=True)
class Panel:
    """A part of the figure: how wide and high in inches, and what draws it."""

    width: float
    height: float
    draw: Callable[[Axes], None]


def draw_explanation(explanation: Explanation, path: Path) -> None:
    """Write the picture; the file's ending chooses the format."""
    panels = panels_of(explanation)
    width = max((panel.width for panel in panels), default=4.0)
    figure = new_figure(width, sum(panel.height for panel in panels) + 0.8)
    figure.suptitle(literal(f"{explanation.task}: {explanation.answer}"[:100]), fontsize=11)
    heights = [panel.height for panel in panels]
    for panel, part in zip(
        panels, figure.subfigures(len(panels), 1, height_ratios=heights, squeeze=False)[:, 0], strict=True
    ):
        panel.draw(part.subplots())
    write_figure(figure, path)


def panels_of(explanation: Explanation) -> list[Panel]:
    """Return the panels: shares over words or over the picture, then the last attention over what was given."""
    panels = []
    for share in _told_shares(explanation):
        axis = explanation.axis(share.axis)
        panels.append(_heat(explanation, share) if axis.grid else _bars(axis, share))
    looked = last_looked(explanation.looked)
    if looked is not None:
        queries, keys = explanation.axis(looked.queries), explanation.axis(looked.keys)
        panels.append(_heats(explanation, looked, queries, keys) if keys.grid else _field(looked, queries, keys))
    return panels


def last_looked(looked: Sequence[Looked]) -> Looked | None:
    """Return the last attention over another sequence, if there is one; else the last of all."""
    across = [each for each in looked if each.site.endswith("cross")] or looked
    return across[-1] if across else None


def _told_shares(explanation: Explanation) -> list[Share]:
    """Return the shares of the whole answer, one way of telling them: the most exact that there is."""
    for method in ("integrated gradients", "gradient x input"):
        found = [share for share in explanation.shares if share.method == method]
        if found:
            return found
    return []


def _bars(axis: Axis, share: Share) -> Panel:
    most = numpy.sort(numpy.argsort(-numpy.abs(share.values_S))[:MOST_BARS])
    values, labels = share.values_S[most], [literal(axis.labels[place]) for place in most]

    def draw(axes: Axes) -> None:
        axes.barh(range(len(most)), values, color=[TOWARDS if value >= 0 else AWAY for value in values])
        axes.set_yticks(range(len(most)), labels, fontsize=8)
        axes.invert_yaxis()
        axes.axvline(0, color="0.4", lw=0.8)
        axes.margins(y=0.02)
        axes.tick_params(axis="x", labelsize=7)
        left_out = f" (the {MOST_BARS} largest of {len(share.values_S)})" if len(most) < len(share.values_S) else ""
        axes.set_title(
            literal(f"{share.axis}: towards {share.answer[:40]} to the right, {share.method}{left_out}"), fontsize=8
        )

    return Panel(7.0, 0.6 + 0.2 * max(4, len(most)), draw)


def _field(looked: Looked, queries: Axis, keys: Axis) -> Panel:
    weights_TS = looked.weights_HTS.mean(axis=0)
    rows, columns = weights_TS.shape

    def draw(axes: Axes) -> None:
        axes.imshow(weights_TS, cmap="Greys", vmin=0, aspect="auto", interpolation="nearest")
        if columns <= MOST_TICKS:
            axes.set_xticks(range(columns), map(literal, keys.labels), rotation=60, ha="left", fontsize=7)
            axes.xaxis.tick_top()
        if rows <= MOST_TICKS:
            axes.set_yticks(range(rows), map(literal, queries.labels), fontsize=7)
        axes.tick_params(length=0)
        axes.set_xlabel(f"{looked.site}, mean of its heads; darker is more, each row sums to 1", fontsize=8)

    width = min(WIDEST, 2.0 + 0.3 * min(columns, MOST_TICKS))
    return Panel(width, min(WIDEST, 1.6 + 0.25 * min(rows, MOST_TICKS)), draw)


def _heat(explanation: Explanation, share: Share) -> Panel:
    def draw(axes: Axes) -> None:
        _lay_over(axes, explanation, share.values_S, explanation.axis(share.axis), signed=True)
        axes.set_title(literal(f"violet: towards {share.answer[:40]}, orange: away; {share.method}"), fontsize=8)

    return Panel(4.5, 4.5, draw)


def _heats(explanation: Explanation, looked: Looked, queries: Axis, keys: Axis) -> Panel:
    """Return where the model looked for each word, pictures beside each other; of patches, where the first looked."""
    words = queries.labels[: 1 if queries.grid else MOST_HEATS]
    columns = min(4, len(words))
    rows = -(-len(words) // columns)

    def draw(axes: Axes) -> None:
        axes.axis("off")
        weights_TS = looked.weights_HTS.mean(axis=0)
        for place, word in enumerate(words):
            row, column = divmod(place, columns)
            inside = axes.inset_axes((column / columns, 1 - (row + 1) / rows, 0.95 / columns, 0.85 / rows))
            _lay_over(inside, explanation, weights_TS[place], keys, signed=False)
            inside.set_title(literal(word), fontsize=8)
        axes.set_title(f"{looked.site}, mean of its heads; lighter is more", fontsize=8, pad=14)

    return Panel(max(4.0, 2.0 * columns), 0.5 + 2.1 * rows, draw)


def _lay_over(axes: Axes, explanation: Explanation, values_S: Numbers, axis: Axis, signed: bool) -> None:
    """Draw the picture with the patches shaded; what stands before them has no place in it."""
    assert axis.grid is not None, "a picture has patches"
    rows, columns = axis.grid
    heat = values_S[-rows * columns :].reshape(rows, columns)
    square: NDArray[numpy.uint8] = numpy.asarray(Image.open(BytesIO(explanation.picture), formats=("PNG",)))
    strongest = float(numpy.abs(heat).max()) or 1.0
    # In grey, so that no colour of the picture is taken for a shade.
    axes.imshow(square.mean(axis=2), cmap="Greys_r", vmin=0, vmax=255, extent=(0, columns, rows, 0))
    colours, low = ("PuOr", -strongest) if signed else ("viridis", 0.0)
    axes.imshow(heat, cmap=colours, vmin=low, vmax=strongest, alpha=0.55, extent=(0, columns, rows, 0))
    axes.set_xticks([])
    axes.set_yticks([])
    if signed and heat.size <= MOST_SIGNS:
        # Beside the shade: colour is never the only carrier of meaning.
        for (row, column), value in numpy.ndenumerate(heat):
            axes.text(
                column + 0.5, row + 0.5, "+" if value > 0 else "\N{MINUS SIGN}", ha="center", va="center", fontsize=7
            )
