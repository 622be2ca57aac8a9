"""`Hypothesis`: one sequence that a search returns."""

from dataclasses import dataclass
from typing import Literal

Ended = Literal["end", "length"]


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A finished sequence and how probable the model finds it."""

    ids: tuple[int, ...]  # without the start id; with the end id if it ended so
    log_prob: float  # of the whole sequence: the sum of `log_probs`
    score: float  # `log_prob` after length normalisation: what hypotheses are ranked by
    log_probs: tuple[float, ...]  # of each token, given those before it
    ended: Ended  # "length": cut at the longest allowed length, so the sequence is not complete
