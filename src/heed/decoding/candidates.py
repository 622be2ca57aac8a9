"""What passes between the parts of beam search at one step: the best continuations, and what becomes of each."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from torch import Tensor

Fate = Literal["live", "ended", "cut", "dropped"]  # it goes on; took the end id; reached the limit; found no place


class Candidate(NamedTuple):
    """One continuation of one source; a total of -inf marks a place that nothing fills."""

    total: float  # summed log probability, this token included
    log_prob: float  # of this token alone
    id: int
    beam: int  # the beam that is continued


@dataclass(frozen=True, slots=True)
class Candidates:
    """The best continuations of every source, best first; a score of -inf marks a place that nothing fills."""

    scores_BK: Tensor  # summed log probability, this token included; float64
    log_probs_BK: Tensor  # of this token alone
    ids_BK: Tensor
    beams_BK: Tensor  # the beam that is continued

    def rows(self) -> list[list[Candidate]]:
        """Return the candidates of each source one by one."""
        columns = (self.scores_BK, self.log_probs_BK, self.ids_BK, self.beams_BK)
        return [list(map(Candidate, *row)) for row in zip(*(column.tolist() for column in columns), strict=True)]
