"""`BestScore`: what the best weights of a run reached in validation, and the name of what they are chosen by."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from heed.reporting.numbers import count_of, number_of
from heed.runs.strict_json import JSON

MOST = 100  # values of one validation; a task has a handful
_NO_SCORES = ("step", "score")


@dataclass(frozen=True)
class BestScore:
    """The best validation of a run."""

    step: int
    name: str  # accuracy, bleu, loss, ...
    value: float
    score: float  # what validations are ranked by: the value, or its opposite where less is better
    values: Mapping[str, float]  # all that was measured then

    @property
    def less_is_better(self) -> bool:
        """Tell whether a smaller value would be better."""
        return self.score != self.value


def best_score(facts: Mapping[str, JSON]) -> BestScore | None:
    """Return what the facts of the best weights say, or None where nothing was measured."""
    step, score = count_of(facts.get("step")), number_of(facts.get("score"))
    names = [name for name in facts if name not in _NO_SCORES]
    found = {name: number_of(facts[name]) for name in names[:MOST]}
    values = {name: value for name, value in found.items() if value is not None}
    if step is None or score is None:
        return None
    name = _chosen_by(score, values)
    return BestScore(step, name or "score", values[name] if name is not None else score, score, values)


def _chosen_by(score: float, values: Mapping[str, float]) -> str | None:
    """Return which of the values the score is, is the opposite of, or is the opposite of in another unit."""
    for wanted in (score, -score, -score / math.log(2)):  # the last: bits, for a score in nats
        for name, value in values.items():
            if math.isclose(value, wanted, rel_tol=1e-9):
                return name
    return None
