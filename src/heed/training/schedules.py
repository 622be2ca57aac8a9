"""Learning rates as pure functions of progress, from 0 (start) to 1 (end).

Progress is a share of steps, of epochs or of a time budget; the schedule does not know which, so each of them ends
where it should.
"""

import math
from typing import assert_never

from heed.training.settings import ScheduleName

FLOOR = 0.01  # share of the peak that cosine and linear end with: the last steps should still learn


def learning_rate(schedule: ScheduleName, peak: float, warmup: float, progress: float) -> float:
    """Return the learning rate at this progress: a linear rise for the share `warmup`, then the schedule's own fall."""
    if progress < warmup:
        return peak * progress / warmup
    left = (1 - min(progress, 1.0)) / (1 - warmup)  # 1 after the warm-up, 0 at the end
    match schedule:
        case "constant":
            return peak
        case "linear":
            return peak * max(left, FLOOR)
        case "cosine":
            return peak * max(0.5 * (1 - math.cos(math.pi * left)), FLOOR)
        case "inverse-sqrt":
            return peak * math.sqrt(max(warmup, 1e-3) / max(progress, 1e-3))
        case _:
            assert_never(schedule)
