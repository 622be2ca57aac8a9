"""What passes between the parts of beam search at one step: the candidates, and what was made of them."""

from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True, slots=True)
class Candidates:
    """The best continuations of every source, best first; a score of -inf marks a place that nothing fills."""

    scores_BK: Tensor  # summed log probability, this token included; float64
    log_probs_BK: Tensor  # of this token alone
    ids_BK: Tensor
    beams_BK: Tensor  # the beam that is continued


@dataclass(frozen=True, slots=True)
class Expansion:
    """What a beam search took at one step, and what became of it; a place is in at most one of the three masks."""

    sources_B: Tensor  # positions in the batch that the search began with
    totals_BW: Tensor
    log_probs_BW: Tensor
    ids_BW: Tensor
    beams_BW: Tensor
    ended_BW: Tensor  # took the end id
    cut_BW: Tensor  # reached the length limit
    live_BW: Tensor  # goes on
