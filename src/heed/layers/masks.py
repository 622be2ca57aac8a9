"""Masks. `keep` marks real tokens, `may_attend` says what a query may look at; True always means yes."""

import torch
from torch import Tensor


def keep_from_lengths(lengths: Tensor, width: int) -> Tensor:
    """Return `keep` (B, width): True at the first `lengths[b]` positions of row b."""
    return torch.arange(width, device=lengths.device)[None, :] < lengths[:, None]


def attend_to_real(keep: Tensor) -> Tensor | None:
    """Return `may_attend` (B, 1, 1, S) that hides padding, or None where nothing is padding.

    None lets the fused kernel run without a mask.
    """
    if bool(keep.all()):
        return None
    return keep[:, None, None, :]


def attend_to_past(positions: int, device: torch.device | None = None) -> Tensor:
    """Return `may_attend` (1, 1, T, T): position t looks at itself and at what came before."""
    return torch.ones(positions, positions, dtype=torch.bool, device=device).tril()[None, None]


def masked_softmax(scores_BHTS: Tensor, may_attend: Tensor | None) -> Tensor:
    """Return weights that sum to one over the allowed keys; a query with nothing to look at gets zeros, not NaN."""
    if may_attend is None:
        return scores_BHTS.softmax(dim=-1)
    weights_BHTS = scores_BHTS.masked_fill(~may_attend, float("-inf")).softmax(dim=-1)
    return weights_BHTS.masked_fill(~may_attend, 0.0)
