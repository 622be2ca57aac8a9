"""The word alignment of a translation as a picture: target pieces down, source pieces across, darker is more."""

from pathlib import Path

from heed.inspection.figures import check_ending, literal, new_figure, write_figure
from heed.prediction.translator import Alignment


def draw_alignment(alignment: Alignment, path: Path) -> None:
    """Write the picture; the file's ending chooses the format."""
    check_ending(path)
    rows, columns = len(alignment.target), len(alignment.source)
    figure = new_figure(1.8 + 0.55 * columns, 1.4 + 0.42 * rows)
    axes = figure.add_subplot()
    axes.imshow(alignment.weights.numpy(), cmap="Greys", vmin=0, vmax=1, aspect="auto")
    axes.set_xticks(range(columns), [_shown(piece) for piece in alignment.source], rotation=45, ha="left")
    axes.set_yticks(range(rows), [_shown(piece) for piece in alignment.target])
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    for row in range(rows):
        for column in range(columns):
            weight = float(alignment.weights[row, column])
            if weight >= 0.05:
                # The number beside the shade: colour is never the only carrier of meaning.
                colour = "white" if weight > 0.5 else "black"
                axes.text(column, row, f"{weight:.2f}", ha="center", va="center", fontsize=7, color=colour)
    axes.set_xlabel(f"attention of {alignment.site}, mean of its heads; each row sums to 1", fontsize=8)
    write_figure(figure, path)


def _shown(piece: str) -> str:
    """Return a piece as a person reads it, without the tokenizer's marks."""
    return literal(piece.replace("▁", " ").replace("￭", "").strip())
