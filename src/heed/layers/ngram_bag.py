"""Which runs of words stand in a text, wherever they stand: summed vectors of n-grams (Joulin et al. 2017).

There are more n-grams than any table has rows. So an n-gram is read as a number in the base of the vocabulary, and the
remainder by the number of rows is its row. Some share one; a model learns to rely on the others.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional


class NgramBag(nn.Module):
    """For each length of n-grams, the sum of a text's vectors, over the root of their number.

    That is the scale of a tf-idf vector of length one: a long text does not shout, and its few words that matter are
    not averaged away.
    """

    def __init__(self, vocabulary_size: int, lengths: tuple[int, ...], rows: int, width: int) -> None:
        super().__init__()
        self.vocabulary_size = vocabulary_size
        self.lengths = lengths
        self.weight = nn.Parameter(torch.empty(rows, width))
        nn.init.normal_(self.weight, std=0.01)

    def forward(self, token_ids: Tensor, keep: Tensor) -> Tensor:
        """Return (B, lengths * width); a text shorter than a length has zeros for it."""
        return torch.cat([self._sum(token_ids, keep, length) for length in self.lengths], dim=1)

    def rows(self, token_ids: Tensor, length: int) -> Tensor:
        """Return the row (B, T - length + 1) of each n-gram, none where the texts are shorter."""
        places = max(token_ids.shape[1] - length + 1, 0)
        # The length comes first, so that a word and a pair that ends in it after word 0 are told apart.
        numbers_BT = torch.full_like(token_ids[:, :places], length)
        for place in range(length):
            following_BT = token_ids[:, place : place + places]
            # The remainder at each step is that of the whole, and never grows beyond 64 bits.
            numbers_BT = (numbers_BT * self.vocabulary_size + following_BT) % len(self.weight)
        return numbers_BT

    def _sum(self, token_ids: Tensor, keep: Tensor, length: int) -> Tensor:
        real_BT = keep[:, length - 1 :]  # texts are padded at the end: where the last word is real, all are
        vectors_BTW = functional.embedding(self.rows(token_ids, length), self.weight)
        scale_B1 = real_BT.sum(dim=1, keepdim=True).clamp(min=1).rsqrt().to(vectors_BTW.dtype)
        return (vectors_BTW * real_BT[..., None]).sum(dim=1) * scale_B1

    def extra_repr(self) -> str:
        """Return what `print(model)` shows."""
        rows, width = self.weight.shape
        return f"lengths={list(self.lengths)}, rows={rows}, width={width}"
