"""Sampling: the next token drawn by its probability, reshaped by temperature, top-k and top-p, in this order.

Every source draws from a random generator of its own, seeded by (seed, its index). So what is drawn for a source does
not depend on which others are in the batch, nor on their order.
"""

import hashlib
import math
from collections.abc import Sequence

import torch
from torch import Tensor

from heed.decoding.hypotheses import Hypothesis
from heed.decoding.limits import Limits
from heed.decoding.paths import follow
from heed.decoding.ranking import best_continuations
from heed.decoding.steps import State, StepModel
from heed.errors import SettingsError, UsageError
from heed.settings import settings


@settings
class SamplingSettings:
    """How random the choice of the next token is."""

    temperature: float = 1.0  # divides the log probabilities; below 1 favours probable tokens, near 0 it is greedy
    top_k: int = 0  # only the k most probable tokens may be drawn; 0: all
    top_p: float = 1.0  # only the fewest most probable tokens that together reach this probability; 1: all
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.temperature < math.inf:
            raise SettingsError(f"temperature is {self.temperature}. Give a number above 0, or decode greedily.")
        if self.top_k < 0:
            raise SettingsError(f"top_k is {self.top_k}. Give 0 (all tokens) or a number of tokens.")
        if not 0 < self.top_p <= 1:
            raise SettingsError(f"top_p is {self.top_p}. Give a probability above 0 and up to 1.")


def sample(
    model: StepModel[State], state: State, limits: Limits, settings: SamplingSettings, indices: Sequence[int]
) -> list[Hypothesis]:
    """Return one drawn hypothesis per source; `indices` name the sources in the whole input, not in this batch.

    `log_probs` are the model's own, before temperature and cuts; the score is their mean.
    """
    if len(indices) != len(limits.longest):
        raise UsageError(f"{len(indices)} indices for {len(limits.longest)} sources. Give each source its own index.")
    draws_BT = _draws(settings.seed, indices, limits)

    def choose(log_probs_B1V: Tensor, sources: Sequence[int], step: int) -> Tensor:
        log_probs_BK, ids_BK = _ranked(log_probs_B1V, settings)
        chosen_B1 = _drawn(log_probs_BK, settings, draws_BT[sources, step - 1, None])
        return ids_BK.gather(1, chosen_B1)

    return follow(model, state, limits, choose)


def _draws(seed: int, indices: Sequence[int], limits: Limits) -> Tensor:
    """Return a uniform number from [0, 1) for every source and step."""
    draws_BT = torch.zeros(len(indices), max(limits.longest, default=0), dtype=torch.float64)
    for row, (index, longest) in enumerate(zip(indices, limits.longest, strict=True)):
        # A hash, because seed + index would give neighbouring seeds the same draws for shifted sources.
        digest = hashlib.blake2b(f"{seed} {index}".encode(), digest_size=8).digest()
        generator = torch.Generator().manual_seed(int.from_bytes(digest, "big"))
        draws_BT[row, :longest] = torch.rand(longest, dtype=torch.float64, generator=generator)
    return draws_BT.to(limits.device)


def _ranked(log_probs_B1V: Tensor, settings: SamplingSettings) -> tuple[Tensor, Tensor]:
    """Return the log probabilities and ids that may be drawn, most probable first where a cut needs that order."""
    B, _, V = log_probs_B1V.shape
    if 0 < settings.top_k < V:
        nothing_B1 = log_probs_B1V.new_zeros(B, 1)
        best = best_continuations(log_probs_B1V, nothing_B1, settings.top_k)
        return best.scores_BK, best.ids_BK
    if settings.top_p < 1:
        ordered = log_probs_B1V.squeeze(1).sort(dim=-1, descending=True, stable=True)
        return ordered.values, ordered.indices
    return log_probs_B1V.squeeze(1), torch.arange(V, device=log_probs_B1V.device).expand(B, V)


def _drawn(log_probs_BK: Tensor, settings: SamplingSettings, draws_B1: Tensor) -> Tensor:
    """Return the position whose stretch of the summed probabilities holds the draw."""
    lead_BK = log_probs_BK - log_probs_BK.amax(dim=-1, keepdim=True)  # at most 0: a tiny temperature cannot overflow
    probs_BK = (lead_BK.double() / settings.temperature).softmax(dim=-1)
    if settings.top_p < 1:
        before_BK = probs_BK.cumsum(dim=-1) - probs_BK
        probs_BK = probs_BK.masked_fill(before_BK >= settings.top_p, 0.0)
    reached_BK = probs_BK.cumsum(dim=-1)
    total_B1 = reached_BK[:, -1:]
    # A draw is at most 1 - 2**-53, so draw * total rounds to less than the total: what is found has some probability.
    # Only where nothing has any (NaN) the search runs past the end; the caller refuses what the last position holds.
    found_B1 = torch.searchsorted(reached_BK, draws_B1 * total_B1, right=True)
    return found_B1.clamp(max=probs_BK.shape[1] - 1)
