"""A linear-chain conditional random field (Lafferty et al. 2001): tags of a sentence that are judged together.

The score of a sequence of tags is the sum of what a model says of each word by itself (`scores_BTC`), of a number for
each pair of neighbouring tags, and of one for the first and the last tag. Its probability is that score, exponentiated,
over those of all sequences; their sum takes one pass (the forward algorithm), and so does finding the best of them
(Viterbi 1967). Real positions stand first in each row, and there is at least one.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

from heed.layers.digits import with_digits


class ConditionalRandomField(nn.Module):
    """What C tags have to do with their neighbours."""

    def __init__(self, tags: int) -> None:
        super().__init__()
        # Nothing is preferred before anything was learnt.
        self.step_CC = nn.Parameter(torch.zeros(tags, tags))  # from the tag of a row to that of a column
        self.first_C = nn.Parameter(torch.zeros(tags))
        self.last_C = nn.Parameter(torch.zeros(tags))

    def log_likelihood(self, scores_BTC: Tensor, tags_BT: Tensor, keep: Tensor) -> Tensor:
        """Return the logarithm (B,) of the probability of these tags; at padding they may be anything."""
        scores_BTC = with_digits(scores_BTC)
        return self._path_score(scores_BTC, tags_BT, keep) - self._log_sum(scores_BTC, keep)

    @torch.no_grad()
    def best(self, scores_BTC: Tensor, keep: Tensor) -> Tensor:
        """Return the most probable tags (B, T); at padding, 0."""
        scores_BTC = with_digits(scores_BTC)
        reached_BC = scores_BTC[:, 0] + self.first_C
        origins: list[Tensor] = []
        for place in range(1, scores_BTC.shape[1]):
            best_BC, origin_BC = (reached_BC[:, :, None] + self.step_CC).max(dim=1)
            real_B1 = keep[:, place, None]
            reached_BC = torch.where(real_B1, best_BC + scores_BTC[:, place], reached_BC)
            # In padding the way back stands still, so that it begins at the last real word.
            stay_C = torch.arange(self.last_C.numel(), device=keep.device)
            origins.append(torch.where(real_B1, origin_BC, stay_C))
        tag_B = (reached_BC + self.last_C).argmax(dim=1)
        path = [tag_B]
        for origin_BC in reversed(origins):
            tag_B = origin_BC.gather(1, tag_B[:, None]).squeeze(1)
            path.append(tag_B)
        return torch.stack(path[::-1], dim=1).masked_fill(~keep, 0)

    def _path_score(self, scores_BTC: Tensor, tags_BT: Tensor, keep: Tensor) -> Tensor:
        tags_BT = tags_BT.masked_fill(~keep, 0)
        words_BT = scores_BTC.gather(2, tags_BT[..., None]).squeeze(2)
        # A lookup and not self.step_CC[before, after]: of many pairs the gradient of that is added up by all threads at
        # once, in an order that no run repeats.
        pairs_BX = tags_BT[:, :-1] * len(self.step_CC) + tags_BT[:, 1:]
        steps_BX = with_digits(functional.embedding(pairs_BX, self.step_CC.reshape(-1, 1)).squeeze(-1))
        last_B1 = keep.sum(dim=1, keepdim=True) - 1
        ends_B = with_digits(self.first_C[tags_BT[:, 0]]) + self.last_C[tags_BT.gather(1, last_B1).squeeze(1)]
        return (words_BT * keep).sum(dim=1) + (steps_BX * keep[:, 1:]).sum(dim=1) + ends_B

    def _log_sum(self, scores_BTC: Tensor, keep: Tensor) -> Tensor:
        """Return the logarithm (B,) of the summed exponentials of the scores of all sequences."""
        reached_BC = scores_BTC[:, 0] + self.first_C
        for place in range(1, scores_BTC.shape[1]):
            longer_BC = (reached_BC[:, :, None] + self.step_CC).logsumexp(dim=1) + scores_BTC[:, place]
            reached_BC = torch.where(keep[:, place, None], longer_BC, reached_BC)
        return (reached_BC + self.last_C).logsumexp(dim=1)
