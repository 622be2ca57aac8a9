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
from collections.abc import Sequence

import torch
from torch import Tensor

from heed.decoding.candidates import Candidate, Candidates, Fate
from heed.decoding.history import History
from heed.decoding.hypotheses import Hypothesis
from heed.decoding.lengths import Normalisation, penalty
from heed.decoding.limits import Limits
from heed.decoding.probabilities import refuse_broken_numbers, refuse_dead_end, to_log_probs
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

    def normalised(self, total: float, length: int) -> float:
        """Return the score of a sequence of so many tokens with this summed log probability."""
        return total / penalty(self.normalisation, self.alpha, length)


class _Source:
    """The search of one source: what stands in its places, and what has finished."""

    def __init__(self, position: int, longest: int, settings: BeamSettings) -> None:
        self.position = position  # in the batch that the search began with
        self.history = History()
        self.totals = [0.0]  # summed log probability of the live hypothesis in each place; -inf where there is none
        self._longest = longest
        self._settings = settings

    def take(self, candidates: Sequence[Candidate], step: int, end: int) -> list[Fate]:
        """Take the best candidates, one for each place, as long as places are free; return what becomes of each."""
        free = self._settings.beams - len(self.history.finished)
        fates: list[Fate] = [
            "dropped" if place >= free or candidate.total == -math.inf else self._fate(candidate, step, end)
            for place, candidate in enumerate(candidates)
        ]
        self.history.append(candidates)
        for place, fate in enumerate(fates):
            if fate == "ended" or fate == "cut":
                score = self._settings.normalised(candidates[place].total, step)
                self.history.finish(place, score, "end" if fate == "ended" else "length")
        self.totals = [
            candidate.total if fate == "live" else -math.inf for candidate, fate in zip(candidates, fates, strict=True)
        ]
        return fates

    def goes_on(self) -> bool:
        """Tell whether a live hypothesis may still become one of the results."""
        best = max(self.totals)
        if best == -math.inf:
            return False
        results, finished = self._settings.results, self.history.finished
        if len(finished) < results:
            return True
        worst_result = sorted((entry.score for entry in finished), reverse=True)[results - 1]
        # The bound of `lengths.py`: as if all that follows were certain.
        return self._settings.normalised(best, self._longest) >= worst_result

    def _fate(self, candidate: Candidate, step: int, end: int) -> Fate:
        if candidate.id == end:
            return "ended"
        return "cut" if step >= self._longest else "live"


def beam_search(
    model: StepModel[State],
    state: State,
    limits: Limits,
    settings: BeamSettings,
    recorder: TreeRecorder | None = None,
) -> list[list[Hypothesis]]:
    """Return for every source the best `settings.results` hypotheses, best first (fewer if fewer sequences exist)."""
    everybody = [_Source(position, longest, settings) for position, longest in enumerate(limits.longest)]
    everybody_B = torch.arange(len(everybody), device=limits.device)
    forbidden, last_ids_BW = limits.forbidden_ids(), limits.start_ids()
    considered = settings.beams + (recorder.extra if recorder else 0)
    searched, step = everybody, 0
    with torch.inference_mode():
        while searched:
            step += 1
            logits_BWV, state = model.step(last_ids_BW, state)
            candidates = _candidates(logits_BWV, forbidden, searched, step, considered)
            for source, row in zip(searched, candidates.rows(), strict=True):
                fates = source.take(row[: settings.beams], step, limits.end)
                if recorder:
                    scores = [settings.normalised(candidate.total, step) for candidate in row]
                    recorder.record(source.position, step, row, scores, fates, source.goes_on())
            last_ids_BW, beams_BW = candidates.ids_BK[:, : settings.beams], candidates.beams_BK[:, : settings.beams]
            staying = [row for row, source in enumerate(searched) if source.goes_on()]
            stay_B = everybody_B[: len(searched)]
            if len(staying) < len(searched):
                _refuse_dead_ends(searched, step)
                searched = [searched[row] for row in staying]
                stay_B = torch.tensor(staying, dtype=torch.long, device=limits.device)
                last_ids_BW, beams_BW = last_ids_BW[stay_B], beams_BW[stay_B]
            if searched:
                state = model.reorder(state, stay_B, beams_BW)
    return [source.history.hypotheses(settings.results) for source in everybody]


def _candidates(
    logits_BWV: Tensor, forbidden: Tensor, searched: Sequence[_Source], step: int, count: int
) -> Candidates:
    """Return the best continuations of every source, forbidden ids left out."""
    totals_BW = torch.tensor([source.totals for source in searched], dtype=torch.float64, device=logits_BWV.device)
    assert logits_BWV.shape[:2] == totals_BW.shape, (logits_BWV.shape, totals_BW.shape)
    log_probs_BWV = to_log_probs(logits_BWV)
    refuse_broken_numbers(log_probs_BWV, totals_BW, [source.position for source in searched], step)
    log_probs_BWV.index_fill_(-1, forbidden, -math.inf)
    return best_continuations(log_probs_BWV, totals_BW, count)


def _refuse_dead_ends(searched: Sequence[_Source], step: int) -> None:
    for source in searched:
        if max(source.totals) == -math.inf and not source.history.finished:
            refuse_dead_end(source.position, step)
