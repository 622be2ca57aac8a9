"""One path per source: the loop that greedy decoding and sampling share."""

import math
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from heed.decoding.candidates import Candidate
from heed.decoding.history import History
from heed.decoding.hypotheses import Hypothesis
from heed.decoding.limits import Limits
from heed.decoding.probabilities import refuse_broken_numbers, refuse_dead_end, to_log_probs
from heed.decoding.steps import State, StepModel

# (log_probs_B1V with -inf at forbidden ids, original positions of the sources, step from 1) -> ids_B1
Choice = Callable[[Tensor, Sequence[int], int], Tensor]


class _Path:
    """The one path of a source."""

    def __init__(self, position: int, longest: int) -> None:
        self.position = position  # in the batch that the search began with
        self.history = History()
        self._longest = longest
        self._total = 0.0

    def take(self, token: int, log_prob: float, step: int, end: int) -> bool:
        """Go on by one token; return whether the path goes on from there."""
        if log_prob == -math.inf:
            refuse_dead_end(self.position, step)
        self._total += log_prob
        self.history.append([Candidate(self._total, log_prob, token, beam=0)])
        if token != end and step < self._longest:
            return True
        self.history.finish(0, self._total / step, "end" if token == end else "length")
        return False


def follow(model: StepModel[State], state: State, limits: Limits, choose: Choice) -> list[Hypothesis]:
    """Return one hypothesis per source, each next token taken by `choose`; the score is the mean log probability."""
    everybody = [_Path(position, longest) for position, longest in enumerate(limits.longest)]
    forbidden, last_ids_B1 = limits.forbidden_ids(), limits.start_ids()
    followed, step = everybody, 0
    with torch.inference_mode():
        while followed:
            step += 1
            logits_B1V, state = model.step(last_ids_B1, state)
            sources = [path.position for path in followed]
            last_ids_B1, log_probs_B1 = _chosen(logits_B1V, forbidden, sources, step, choose)
            taken = zip(followed, last_ids_B1.flatten().tolist(), log_probs_B1.flatten().tolist(), strict=True)
            going = [path.take(token, log_prob, step, limits.end) for path, token, log_prob in taken]
            if all(going):
                continue
            staying = [row for row, goes_on in enumerate(going) if goes_on]
            followed = [followed[row] for row in staying]
            if followed:
                stay_B = torch.tensor(staying, dtype=torch.long, device=limits.device)
                last_ids_B1 = last_ids_B1[stay_B]
                state = model.reorder(state, stay_B, torch.zeros_like(last_ids_B1))
    return [best for path in everybody for best in path.history.hypotheses(results=1)]


def _chosen(
    logits_B1V: Tensor, forbidden: Tensor, sources: Sequence[int], step: int, choose: Choice
) -> tuple[Tensor, Tensor]:
    """Return the chosen ids_B1 and their log_probs_B1."""
    log_probs_B1V = to_log_probs(logits_B1V)
    refuse_broken_numbers(log_probs_B1V, log_probs_B1V.new_zeros(len(sources), 1), sources, step)
    log_probs_B1V.index_fill_(-1, forbidden, -math.inf)
    ids_B1 = choose(log_probs_B1V, sources, step)
    chosen_B1 = log_probs_B1V.gather(-1, ids_B1[..., None]).squeeze(-1)
    return ids_B1, chosen_B1.clamp_(max=0.0)
