"""The best continuations of all beams of a source, ranked jointly, the same on every machine and in every batch.

Order: higher summed log probability, then lower token id, then lower beam. `torch.topk` finds the right values but
promises nothing about which of several equal elements it returns or in what order. So one element more than needed is
asked for; where two neighbours of the result are equal, that source is ranked again by a stable sort. Sums are float64:
two different float32 log probabilities of a beam stay different in its sums, so that one beam is exactly greedy.

Speed: `topk` over beams x vocabulary is slow on a CPU. Instead the ids are dealt into groups (id modulo the number of
groups, which makes the maxima of all groups one vectorised pass), the groups are ranked by their maxima, and only the
members of the best groups are ranked: the k best elements lie in the k groups with the largest maxima.
"""

import math

import torch
from torch import Tensor
from torch.nn.functional import pad

from heed.decoding.candidates import Candidates

GROUPS = 128  # measured; that it is a multiple of the CPU's vector width matters more than the number itself


def best_continuations(log_probs_BWV: Tensor, totals_BW: Tensor, count: int) -> Candidates:
    """Return the `count` best continuations of every source over all its beams, given their sums so far."""
    B, W, V = log_probs_BWV.shape
    scores_BN, positions_BN = _members_of_best_groups(log_probs_BWV, totals_BW, count + 1)
    scores_BK, chosen_BK = scores_BN.topk(min(count + 1, scores_BN.shape[1]), dim=1)
    tied_B = ((scores_BK[:, 1:] == scores_BK[:, :-1]) & (scores_BK[:, 1:] > -math.inf)).any(dim=1)
    scores_BK, positions_BK = scores_BK[:, :count], positions_BN.gather(1, chosen_BK[:, :count])
    if bool(tied_B.any()):
        for source in tied_B.nonzero().flatten().tolist():
            scores_WV = _scores(log_probs_BWV[source], totals_BW[source, :, None])
            positions_BK[source] = _best_positions(scores_WV, float(scores_BK[source, -1]), scores_BK.shape[1])
    log_probs_BK = log_probs_BWV.view(B, W * V).gather(1, positions_BK).clamp_(max=0.0)
    found = Candidates(scores_BK, log_probs_BK, positions_BK % V, positions_BK // V)
    return found if scores_BK.shape[1] == count else _widened(found, count)


def _scores(log_probs: Tensor, totals: Tensor) -> Tensor:
    """Return the sums of log probabilities.

    Rounding in `log_softmax` can lift one just above 0: without the clamp a sum could grow, and bounds would not hold.
    """
    return log_probs.clamp(max=0.0) + totals


def _members_of_best_groups(log_probs_BWV: Tensor, totals_BW: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """Return the scores and the positions (beam * V + id) of all members of each source's `count` best groups."""
    B, W, V = log_probs_BWV.shape
    groups = min(GROUPS, V)
    # Rounded addition keeps the order, so the score of a group's largest log probability is its largest score.
    group_scores_BWG = _scores(_group_maxima(log_probs_BWV, groups), totals_BW[..., None])
    best_BM = group_scores_BWG.view(B, W * groups).topk(min(count, W * groups), dim=1).indices
    beams_BM = best_BM // groups
    ids_BMR = (best_BM % groups)[..., None] + torch.arange(0, V, groups, device=log_probs_BWV.device)
    positions_BN = ((beams_BM * V)[..., None] + ids_BMR.clamp(max=V - 1)).flatten(1)
    log_probs_BMR = log_probs_BWV.view(B, W * V).gather(1, positions_BN).view_as(ids_BMR)
    scores_BMR = _scores(log_probs_BMR, totals_BW.gather(1, beams_BM)[..., None])
    # The last row of ids is not full when the groups do not divide the vocabulary.
    return scores_BMR.masked_fill_(ids_BMR >= V, -math.inf).flatten(1), positions_BN


def _group_maxima(log_probs_BWV: Tensor, groups: int) -> Tensor:
    """Return the largest log probability of each group; id i is in group i % groups."""
    B, W, V = log_probs_BWV.shape
    rows, rest = divmod(V, groups)
    full = rows * groups
    maxima_BWG = log_probs_BWV[..., :full].view(B, W, rows, groups).amax(dim=2)
    if rest:
        maxima_BWG[..., :rest] = torch.maximum(maxima_BWG[..., :rest], log_probs_BWV[..., full:])
    return maxima_BWG


def _best_positions(scores_WV: Tensor, threshold: float, count: int) -> Tensor:
    """Return the positions (beam * V + id) of one source's best continuations, equal scores by lower id, lower beam."""
    W, V = scores_WV.shape
    scores_of_id_then_beam = scores_WV.T.flatten()
    among = (scores_of_id_then_beam >= threshold).nonzero().flatten()
    order = scores_of_id_then_beam[among].sort(descending=True, stable=True).indices[:count]
    best = among[order]
    return (best % W) * V + best // W


def _widened(found: Candidates, count: int) -> Candidates:
    """Return the candidates with empty places up to `count`, for when fewer continuations exist."""
    missing = (0, count - found.scores_BK.shape[1])
    return Candidates(
        pad(found.scores_BK, missing, value=-math.inf),
        pad(found.log_probs_BK, missing),
        pad(found.ids_BK, missing),
        pad(found.beams_BK, missing),
    )
