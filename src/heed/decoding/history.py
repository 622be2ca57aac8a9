"""What a search chose for one source, and the way back from a last token to the whole sequence.

A step only notes what was taken. Following the beams back is left to the end and to the hypotheses that are returned,
for most sequences are thrown away.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from heed.decoding.candidates import Candidate
from heed.decoding.hypotheses import Ended, Hypothesis


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished sequence, by the place of its last token in the history."""

    step: int
    place: int
    score: float
    ended: Ended

    def rank(self) -> tuple[float, int, int]:
        """Return the sort key: higher score, then shorter, then the better place in its beam."""
        return (-self.score, self.step, self.place)


class History:
    """The choices of every step of one source; steps count from 1."""

    def __init__(self) -> None:
        self.finished: list[Finished] = []
        self._steps: list[Sequence[Candidate]] = []

    def append(self, chosen: Sequence[Candidate]) -> None:
        """Add one step: what stands in each place after it."""
        self._steps.append(chosen)

    def finish(self, place: int, score: float, ended: Ended) -> None:
        """Note that the sequence in this place is complete with the step just added."""
        self.finished.append(Finished(len(self._steps), place, score, ended))

    def hypotheses(self, results: int) -> list[Hypothesis]:
        """Return the best `results` finished sequences, best first."""
        return [self._walk_back(entry) for entry in sorted(self.finished, key=Finished.rank)[:results]]

    def _walk_back(self, entry: Finished) -> Hypothesis:
        """Return the hypothesis that ends in the entry, by following its beams back to the first step."""
        total, place = self._steps[entry.step - 1][entry.place].total, entry.place
        path: list[Candidate] = []
        for chosen in reversed(self._steps[: entry.step]):
            path.append(chosen[place])
            place = chosen[place].beam
        path.reverse()
        ids, log_probs = tuple(token.id for token in path), tuple(token.log_prob for token in path)
        return Hypothesis(ids, total, entry.score, log_probs, entry.ended)
