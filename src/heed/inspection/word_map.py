"""Words as points of a picture: their vectors seen from the side on which they differ most (PCA of the chosen words).

Two of many dimensions are shown, and the axes say how much of the differences between the words that is. Arrows join
pairs, such as each country to its capital: where they are parallel, the vectors know the relation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.text import Annotation
from numpy.typing import NDArray

from heed.errors import UsageError
from heed.inspection.figures import DPI, check_ending, literal, new_figure, write_figure
from heed.inspection.label_places import boxes_along, place_labels
from heed.models.word_space import WordSpace

MOST_WORDS = 100  # more labels cannot be read, nor put beside each other
SIDE = 8.0  # inches
POINT = "#1f4e79"
ARROW = "#c05000"


@dataclass(frozen=True, eq=False)
class WordMap:
    """Words in the plane of their largest differences."""

    words: tuple[str, ...]
    points: NDArray[np.float64]  # (words, 2)
    shares: tuple[float, float]  # of the squared differences between the words, those along each axis


def map_words(space: WordSpace, words: Sequence[str]) -> WordMap:
    """Return where each word stands, by unit vectors, in the plane in which the words differ most."""
    words = tuple(dict.fromkeys(words))
    if not 3 <= len(words) <= MOST_WORDS:
        raise UsageError(f"A picture of {len(words)} word(s) cannot be drawn. Give 3 to {MOST_WORDS} different words.")
    vectors_ND = space.unit_VD[[space.row(word) for word in words]].astype(np.float64)
    centred_ND = vectors_ND - vectors_ND.mean(axis=0)
    left_NK, sizes_K, right_KD = np.linalg.svd(centred_ND, full_matrices=False)
    points_N2 = np.zeros((len(words), 2))
    # The sign of an axis is free: the largest number of each is positive, so that a picture looks the same anywhere.
    signs_K = np.sign(right_KD[np.arange(len(right_KD)), np.abs(right_KD).argmax(axis=1)])
    kept = min(2, len(sizes_K))
    points_N2[:, :kept] = (left_NK * sizes_K * signs_K)[:, :kept]
    shares_K = np.append(sizes_K**2 / max((sizes_K**2).sum(), np.finfo(np.float64).tiny), [0.0, 0.0])
    return WordMap(words, points_N2, (float(shares_K[0]), float(shares_K[1])))


def draw_word_map(space: WordSpace, words: Sequence[str], path: Path, pairs: Sequence[tuple[str, str]] = ()) -> WordMap:
    """Write the picture of the words, an arrow for each pair; the file's ending chooses the format."""
    check_ending(path)
    made = map_words(space, [*words, *(word for pair in pairs for word in pair)])
    figure = new_figure(SIDE, SIDE * 0.8)
    axes = figure.add_subplot()
    _draw_points(axes, made, pairs)
    # Where labels come to stand is only known once the layout is.
    figure.draw_without_rendering()
    _draw_labels(axes, made, pairs)
    write_figure(figure, path)
    return made


def _draw_points(axes: Axes, made: WordMap, pairs: Sequence[tuple[str, str]]) -> None:
    axes.scatter(made.points[:, 0], made.points[:, 1], s=14, color=POINT, zorder=3)
    for first, second in pairs:
        start, end = (made.points[made.words.index(word)] for word in (first, second))
        style = {"arrowstyle": "->", "color": ARROW, "lw": 1.0, "shrinkA": 3, "shrinkB": 3, "alpha": 0.7}
        axes.annotate("", xy=(end[0], end[1]), xytext=(start[0], start[1]), arrowprops=style, zorder=2)
    # One scale for both axes, or directions would not be what they are.
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.12)
    axes.grid(color="0.92")
    axes.set_axisbelow(True)
    first_share, second_share = made.shares
    axes.set_xlabel(f"first axis, {first_share:.0%} of the differences between these words", fontsize=8)
    axes.set_ylabel(f"second axis, {second_share:.0%}", fontsize=8)
    axes.tick_params(labelsize=7, length=2)


def _draw_labels(axes: Axes, made: WordMap, pairs: Sequence[tuple[str, str]]) -> None:
    points_N2 = np.asarray(axes.transData.transform(made.points))
    labels = [_label(axes, word, point) for word, point in zip(made.words, made.points, strict=True)]
    sizes_N2 = np.array([(box.width, box.height) for box in (label.get_window_extent() for label in labels)])
    ends = [[points_N2[made.words.index(word)] for word in pair] for pair in pairs]
    lines_M4 = np.concatenate([np.zeros((0, 4)), *(boxes_along(start, end) for start, end in ends)])
    corners_N2 = place_labels(points_N2, sizes_N2, lines_M4, np.array(axes.bbox.extents))
    # Labels are placed in points of print, of which an inch has 72.
    for label, offset in zip(labels, (corners_N2 - points_N2) * 72 / DPI, strict=True):
        label.set_position((offset[0], offset[1]))


def _label(axes: Axes, word: str, point: NDArray[np.float64]) -> Annotation:
    line = {"arrowstyle": "-", "color": "0.6", "lw": 0.5, "shrinkA": 0, "shrinkB": 3}
    return axes.annotate(
        literal(word),
        xy=(point[0], point[1]),
        xytext=(0, 0),
        textcoords="offset points",
        fontsize=8,
        arrowprops=line,
        zorder=4,
    )
