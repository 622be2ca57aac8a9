"""Task `caption`: pictures and what people said of them become batches, batches become a loss.

In an epoch every picture comes once, with one of its captions, drawn from the seed, the epoch and the picture.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor, nn

from heed.data.records import CaptionedImage
from heed.layers.vocabulary_loss import vocabulary_loss
from heed.models.captioner import Captioner
from heed.tasks.rows import Rows, pad_rows
from heed.tasks.translate import encode_targets
from heed.tokens.encoded import TokenCounts
from heed.tokens.tokenizer import Tokenizer


@dataclass(frozen=True)
class EncodedCaptions:
    """The captions of many pictures as ids; those of picture p are the rows from `begins[p]` to `begins[p + 1]`."""

    rows: Rows
    begins: Sequence[int]
    counts: TokenCounts

    def __len__(self) -> int:
        return len(self.begins) - 1

    def longest(self) -> list[int]:
        """Return the length of the longest caption of each picture."""
        lengths = self.rows.lengths
        return [int(lengths[begin:end].max()) for begin, end in zip(self.begins, self.begins[1:], strict=False)]

    def chosen(self, pictures: Sequence[int], share_B: Tensor) -> list[int]:
        """Return a row for each picture: of its captions the one that a number from 0 to 1 falls on."""
        rows = []
        for picture, share in zip(pictures, share_B.tolist(), strict=True):
            begin, end = self.begins[picture], self.begins[picture + 1]
            rows.append(begin + int(share * (end - begin)))
        return rows


@dataclass(frozen=True)
class CaptionBatch:
    """`target_ids` is what the decoder is fed (teacher forcing), `next_ids` what it should say at each position."""

    images: Tensor  # (B, 3, side, side)
    target_ids: Tensor
    target_keep: Tensor
    next_ids: Tensor

    @property
    def tokens(self) -> int:
        """Return the number of real target tokens."""
        return int(self.target_keep.sum())

    @property
    def targets(self) -> int:
        """Return what the loss is divided by: each target token is one thing to say."""
        return self.tokens


def encode_captions(records: Sequence[CaptionedImage], tokenizer: Tokenizer, longest: int) -> EncodedCaptions:
    """Return all captions as ids, cut to `longest` positions; what was cut and unknown is counted."""
    rows, counts = encode_targets([caption for record in records for caption in record.captions], tokenizer, longest)
    begins = [0]
    for record in records:
        begins.append(begins[-1] + len(record.captions))
    return EncodedCaptions(rows, begins, sum(counts, TokenCounts()))


def batch_of(images: Tensor, captions: EncodedCaptions, chosen: Sequence[int]) -> CaptionBatch:
    """Return pictures with the chosen captions as one padded batch."""
    whole_ids, whole_keep = pad_rows(captions.rows, chosen)
    return CaptionBatch(images, whole_ids[:, :-1], whole_keep[:, 1:], whole_ids[:, 1:])


class CaptionObjective(nn.Module):
    """The loss of a batch, summed over real target tokens, with label smoothing."""

    def __init__(self, model: Captioner, label_smoothing: float) -> None:
        super().__init__()
        self.model = model
        self.label_smoothing = label_smoothing

    def forward(self, batch: CaptionBatch) -> Tensor:
        """Return the summed loss."""
        images = batch.images.to(self.model.vocabulary.weight.dtype)
        hidden_BTD = self.model.hidden(images, batch.target_ids, batch.target_keep)
        hidden_ND, next_N = hidden_BTD[batch.target_keep], batch.next_ids[batch.target_keep]
        return vocabulary_loss(hidden_ND, self.model.vocabulary, next_N, self.label_smoothing)
