"""Beam search: the best sequences that W hypotheses per source, extended in step, come across.

A source has W places. A finished hypothesis keeps its place. At each step the continuations of all live hypotheses of a
source are ranked together by summed log probability, and the best (W - finished so far) are taken. Those that take the
end id are finished; the others live on. All live hypotheses of a source are of the same length, so ranking them by the
sum is ranking them by any of the normalisations in `lengths.py`; finished ones are compared by the normalised score.
Hence one beam is exactly greedy decoding, and with as many beams as there are sequences the search is exhaustive.

A source stops
  - when all its places are finished, or nothing of any probability is left to extend;
  - when no live hypothesis can still reach the worst of the `results` best finished scores (a bound, see `lengths.py`:
    the results are those of a search that goes on to the limit);
  - at its length limit: what lives is then finished with ended="length" and competes by its score like the others.
It leaves the batch at once.

Equal sums are ordered by lower token id, then lower beam (see `ranking.py`); equal final scores by shorter length, then
by that order. Every source has its own limit and is searched on its own, so a result never depends on its companions
in the batch (as long as the model's logits do not).
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from heed.decoding.candidates import Candidates, Expansion
from heed.decoding.history import History
from heed.decoding.hypotheses import Hypothesis
from heed.decoding.lengths import Normalisation, best_reachable, length_penalties
from heed.decoding.limits import Limits
from heed.decoding.probabilities import refuse_broken_numbers, refuse_dead_ends, to_log_probs
from heed.decoding.ranking import best_continuations
from heed.decoding.steps import State, StepModel
from heed.decoding.tree import TreeRecorder
from heed.errors import SettingsError
from heed.settings import settings


@settings
class BeamSettings:
    """How wide to search and how to compare sequences of different lengths."""

    beams: int = 4  # hypotheses per source; more costs time in proportion and seldom helps past 8
    normalisation: Normalisation = "gnmt"
    alpha: float = 0.6  # of "gnmt": 0 favours short, 1 nearly the mean; 0.6 with 4 beams is of Vaswani et al. 2017
    results: int = 1  # how many hypotheses per source to return; at most `beams`

    def __post_init__(self) -> None:
        if self.beams < 1:
            raise SettingsError(f"beams is {self.beams}. Give at least 1 (which is greedy decoding).")
        if not 1 <= self.results <= self.beams:
            raise SettingsError(f"results is {self.results} with {self.beams} beams. Give 1 to {self.beams}.")
        if not 0 <= self.alpha < math.inf:
            raise SettingsError(f"alpha is {self.alpha}. Give 0 or more; 0.6 is usual.")


@dataclass(frozen=True, slots=True)
class _Front:
    """The sources that are still searched."""

    sources_B: Tensor  # their positions in the batch that the search began with
    totals_BW: Tensor  # summed log probability of each live hypothesis; -inf where a place has none
    finished_B: Tensor  # how many hypotheses have finished
    best_finished_BR: Tensor  # their best scores, best first; -inf for those still missing
    longest_B: Tensor
    penalty_at_longest_B: Tensor

    def only(self, rows: Tensor) -> "_Front":
        """Return the front of just these rows."""
        return _Front(
            self.sources_B[rows],
            self.totals_BW[rows],
            self.finished_B[rows],
            self.best_finished_BR[rows],
            self.longest_B[rows],
            self.penalty_at_longest_B[rows],
        )


def beam_search(
    model: StepModel[State],
    state: State,
    limits: Limits,
    settings: BeamSettings,
    recorder: TreeRecorder | None = None,
) -> list[list[Hypothesis]]:
    """Return for every source the best `settings.results` hypotheses, best first (fewer if fewer sequences exist)."""
    history = History(len(limits.longest))
    penalties = length_penalties(settings.normalisation, settings.alpha, max(limits.longest, default=0), limits.device)
    front = _first_front(limits, settings, penalties)
    forbidden, last_ids_BW = limits.forbidden_ids(), limits.start_ids()
    considered = settings.beams + (recorder.extra if recorder else 0)
    everybody = torch.arange(len(limits.longest), device=limits.device)
    step = 0
    with torch.inference_mode():
        while len(front.sources_B):
            step += 1
            logits_BWV, state = model.step(last_ids_BW, state)
            candidates = _candidates(logits_BWV, forbidden, front, step, considered)
            expansion = _expand(candidates, front, limits.end, step, settings.beams)
            front, going_B = _advance(expansion, front, history, penalties[step])
            if recorder:
                recorder.record(candidates, expansion, going_B, penalties[step])
            stay = everybody[: len(going_B)]
            if not bool(going_B.all()):
                refuse_dead_ends(going_B | (front.finished_B > 0), front.sources_B, step)
                stay = going_B.nonzero().flatten()
                front = front.only(stay)
            if len(stay):
                last_ids_BW = expansion.ids_BW[stay]
                state = model.reorder(state, stay, expansion.beams_BW[stay])
    return history.hypotheses(settings.results)


def _first_front(limits: Limits, settings: BeamSettings, penalties: Tensor) -> _Front:
    """Return the front before the first step: one empty hypothesis per source."""
    longest_B = limits.longest_per_source()
    return _Front(
        sources_B=torch.arange(len(longest_B), device=limits.device),
        totals_BW=torch.zeros(len(longest_B), 1, dtype=torch.float64, device=limits.device),
        finished_B=torch.zeros_like(longest_B),
        best_finished_BR=penalties.new_full((len(longest_B), settings.results), -math.inf),
        longest_B=longest_B,
        penalty_at_longest_B=penalties[longest_B],
    )


def _candidates(logits_BWV: Tensor, forbidden: Tensor, front: _Front, step: int, count: int) -> Candidates:
    """Return the best continuations of every source, forbidden ids left out."""
    assert logits_BWV.shape[:2] == front.totals_BW.shape, (logits_BWV.shape, front.totals_BW.shape)
    log_probs_BWV = to_log_probs(logits_BWV)
    refuse_broken_numbers(log_probs_BWV, front.totals_BW, front.sources_B, step)
    log_probs_BWV.index_fill_(-1, forbidden, -math.inf)
    return best_continuations(log_probs_BWV, front.totals_BW, count)


def _expand(candidates: Candidates, front: _Front, end: int, step: int, beams: int) -> Expansion:
    """Return what becomes of the best candidates of every source: ended, cut at the limit, or live."""
    totals_BW, ids_BW = candidates.scores_BK[:, :beams], candidates.ids_BK[:, :beams]
    places_W = torch.arange(beams, device=ids_BW.device)
    taken_BW = (places_W < (beams - front.finished_B)[:, None]) & (totals_BW > -math.inf)
    ended_BW = taken_BW & (ids_BW == end)
    unended_BW = taken_BW & ~ended_BW
    cut_BW = unended_BW & (front.longest_B <= step)[:, None]
    return Expansion(
        sources_B=front.sources_B,
        totals_BW=totals_BW,
        log_probs_BW=candidates.log_probs_BK[:, :beams],
        ids_BW=ids_BW,
        beams_BW=candidates.beams_BK[:, :beams],
        ended_BW=ended_BW,
        cut_BW=cut_BW,
        live_BW=unended_BW & ~cut_BW,
    )


def _advance(expansion: Expansion, front: _Front, history: History, penalty: Tensor) -> tuple[_Front, Tensor]:
    """Note what has finished; return the front after this step and which sources go on (going_B)."""
    history.append(expansion.sources_B, expansion.ids_BW, expansion.beams_BW, expansion.log_probs_BW)
    complete_BW = expansion.ended_BW | expansion.cut_BW
    finished_B, best_finished_BR = front.finished_B, front.best_finished_BR
    if bool(complete_BW.any()):
        scores_BW = expansion.totals_BW / penalty
        history.finish(complete_BW, expansion.ended_BW, expansion.totals_BW, scores_BW)
        finished_B = finished_B + complete_BW.sum(dim=1)
        all_scores = torch.cat((best_finished_BR, scores_BW.masked_fill(~complete_BW, -math.inf)), dim=1)
        best_finished_BR = all_scores.topk(best_finished_BR.shape[1], dim=1).values
    totals_BW = expansion.totals_BW.masked_fill(~expansion.live_BW, -math.inf)
    best_total_B = totals_BW.amax(dim=1)
    may_reach_B = best_reachable(best_total_B, front.penalty_at_longest_B) >= best_finished_BR[:, -1]
    after = _Front(
        front.sources_B, totals_BW, finished_B, best_finished_BR, front.longest_B, front.penalty_at_longest_B
    )
    return after, may_reach_B & (best_total_B > -math.inf)
