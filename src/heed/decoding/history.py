"""What a search chose at each step, as back-pointers, and the way back from a last token to the whole sequence.

Steps only append tensors. Following the pointers is left to the end and to the hypotheses that are returned: copying
the sequences themselves at each step would cost a gather per step, and most of those sequences are thrown away.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from heed.decoding.hypotheses import Ended, Hypothesis


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished sequence, by the place of its last token in the history."""

    step: int
    place: int
    log_prob: float
    score: float
    ended: Ended

    def rank(self) -> tuple[float, int, int]:
        """Return the sort key: higher score, then shorter, then the better place in its beam."""
        return (-self.score, self.step, self.place)


class History:
    """The choices of every step of one search; steps count from 1."""

    def __init__(self, sources: int) -> None:
        self.finished: list[list[Finished]] = [[] for _ in range(sources)]
        self._rows: list[dict[int, int]] = []  # per step: where each source stood in the batch
        self._ids_BW: list[Tensor] = []
        self._beams_BW: list[Tensor] = []
        self._log_probs_BW: list[Tensor] = []
        self._last_sources_B: Tensor | None = None

    def append(self, sources_B: Tensor, ids_BW: Tensor, beams_BW: Tensor, log_probs_BW: Tensor) -> None:
        """Add one step; pass the same `sources_B` object as long as nobody has left."""
        if sources_B is not self._last_sources_B:
            rows = {source: row for row, source in enumerate(sources_B.tolist())}
            self._last_sources_B = sources_B
        else:
            rows = self._rows[-1]
        self._rows.append(rows)
        self._ids_BW.append(ids_BW)
        self._beams_BW.append(beams_BW)
        self._log_probs_BW.append(log_probs_BW)

    def finish(self, complete_BW: Tensor, ended_BW: Tensor, totals_BW: Tensor, scores_BW: Tensor) -> None:
        """Note the sequences that are complete with the step just added; `ended_BW`: those with the end id."""
        sources = list(self._rows[-1])
        rows, places = complete_BW.nonzero(as_tuple=True)
        picked = torch.stack((totals_BW[rows, places], scores_BW[rows, places])).T.tolist()
        by_end_id = ended_BW[rows, places].tolist()
        for row, place, (total, score), end in zip(rows.tolist(), places.tolist(), picked, by_end_id, strict=True):
            entry = Finished(len(self._rows), place, total, score, "end" if end else "length")
            self.finished[sources[row]].append(entry)

    def hypotheses(self, results: int) -> list[list[Hypothesis]]:
        """Return the best `results` finished sequences of every source, best first."""
        ids, beams, log_probs = (
            [step.tolist() for step in steps] for steps in (self._ids_BW, self._beams_BW, self._log_probs_BW)
        )
        best = [sorted(finished, key=Finished.rank)[:results] for finished in self.finished]
        return [
            [self._walk_back(source, entry, ids, beams, log_probs) for entry in entries]
            for source, entries in enumerate(best)
        ]

    def _walk_back(
        self,
        source: int,
        entry: Finished,
        ids: list[list[list[int]]],
        beams: list[list[list[int]]],
        log_probs: list[list[list[float]]],
    ) -> Hypothesis:
        """Return the hypothesis that ends in the entry, by following its beams back to the first step."""
        place = entry.place
        path: list[tuple[int, float]] = []
        for step in reversed(range(entry.step)):
            row = self._rows[step][source]
            path.append((ids[step][row][place], log_probs[step][row][place]))
            place = beams[step][row][place]
        path.reverse()
        tokens, token_log_probs = zip(*path, strict=True)
        return Hypothesis(tokens, entry.log_prob, entry.score, token_log_probs, entry.ended)
