"""Where the labels of points stand, so that they hide each other, the points and the lines as little as can be.

Everything here is in pixels. A box is left, bottom, right, top.
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Tried in this order: near before far; right, left, above and below before the corners.
DIRECTIONS = (
    *((1, 0), (-1, 0), (0, 1), (0, -1)),
    *((1, 1), (-1, 1), (1, -1), (-1, -1)),
    *((1, 0.5), (-1, 0.5), (1, -0.5), (-1, -0.5)),
)
DISTANCES = (10, 22, 38, 60, 90)
FAR = 1.0  # square pixels that a label may hide rather than stand a pixel farther off
POINT = 8.0  # half the side of the square that a point takes
LINE = 3.0  # half the side of the squares that a line is made of
STEP = 6.0  # between them


def place_labels(points_N2: Floats, sizes_N2: Floats, obstacles_M4: Floats, inside: Floats) -> Floats:
    """Return the lower left corner (N, 2) of each label, of these widths and heights, within the box `inside`.

    Labels are placed in order, each where it hides least of the points, the obstacles and the labels before it.
    """
    squares_N4 = boxes_around(points_N2, POINT)
    corners_N2 = np.empty_like(points_N2)
    taken_N4 = np.zeros((len(points_N2), 4))
    for number, (point, size) in enumerate(zip(points_N2, sizes_N2, strict=True)):
        choices_C4 = _choices(point, size)
        others = np.concatenate([np.delete(squares_N4, number, axis=0), obstacles_M4, taken_N4[:number]])
        hidden_C = _overlaps(choices_C4, others).sum(axis=1)
        outside_C = size.prod() - _overlaps(choices_C4, inside[None])[:, 0]
        far_C = FAR * np.repeat(DISTANCES, len(DIRECTIONS))
        # Outside the picture a label is worse than hidden: it is cut.
        best = int(np.argmin(np.round(hidden_C + 10 * outside_C + far_C)))
        taken_N4[number] = choices_C4[best]
        corners_N2[number] = choices_C4[best, :2]
    return corners_N2


def boxes_around(points_N2: Floats, half: float) -> Floats:
    """Return the square around each point."""
    return np.concatenate([points_N2 - half, points_N2 + half], axis=1)


def boxes_along(start: Floats, end: Floats) -> Floats:
    """Return small squares that cover the line between two points."""
    steps = max(2, int(np.linalg.norm(end - start) / STEP))
    shares_S1 = np.linspace(0, 1, steps)[:, None]
    return boxes_around(start + shares_S1 * (end - start), LINE)


def _choices(point: Floats, size: Floats) -> Floats:
    """Return the boxes (C, 4) in which the label may stand, best first."""
    ways_C2 = np.array([(x * distance, y * distance) for distance in DISTANCES for x, y in DIRECTIONS])
    # On the side to which it is moved the label begins there; straight above or beside, it is centred.
    lower_C2 = point + ways_C2 - size * np.where(ways_C2 > 0, 0.0, np.where(ways_C2 < 0, 1.0, 0.5))
    return np.concatenate([lower_C2, lower_C2 + size], axis=1)


def _overlaps(boxes_C4: Floats, others_M4: Floats) -> Floats:
    """Return the area (C, M) that each box shares with each other one."""
    lower_CM2 = np.maximum(boxes_C4[:, None, :2], others_M4[None, :, :2])
    upper_CM2 = np.minimum(boxes_C4[:, None, 2:], others_M4[None, :, 2:])
    return np.clip(upper_CM2 - lower_CM2, 0, None).prod(axis=2)
