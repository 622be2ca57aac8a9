"""Task `translate`: pairs of texts become batches, batches become a loss. Any text-to-text job is this task."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor, nn

from heed.data.records import TextPair
from heed.layers.vocabulary_loss import vocabulary_loss
from heed.models.seq2seq import Seq2Seq
from heed.tasks.rows import Rows, pad_rows, rows_from
from heed.tokens.encoded import TokenCounts, count_tokens
from heed.tokens.settings import TokenizerSettings
from heed.tokens.tokenizer import Tokenizer
from heed.tokens.training import train_tokenizer


@dataclass(frozen=True)
class TokenizerPair:
    """The tokenizers of both sides; one and the same object when the vocabulary is shared."""

    source: Tokenizer
    target: Tokenizer

    @property
    def shared(self) -> bool:
        """Tell whether both sides have one vocabulary."""
        return self.source is self.target


@dataclass(frozen=True)
class EncodedPairs:
    """Pairs as ids. Sources end with the end id, targets begin with start and end with end."""

    source: Rows
    target: Rows
    source_counts: TokenCounts
    target_counts: TokenCounts

    def __len__(self) -> int:
        return len(self.source)

    def lengths(self) -> list[tuple[int, int]]:
        """Return (source tokens, target tokens) of each pair, as the order of batches wants them."""
        return list(zip(self.source.lengths.tolist(), (self.target.lengths - 1).tolist(), strict=True))


@dataclass(frozen=True)
class TranslationBatch:
    """`target_ids` is what the decoder is fed (teacher forcing), `next_ids` what it should say at each position."""

    source_ids: Tensor
    source_keep: Tensor
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


def train_tokenizers(pairs: Sequence[TextPair], settings: TokenizerSettings, shared: bool) -> TokenizerPair:
    """Return tokenizers trained on the training pairs: one on both sides, or one for each."""
    sources = (pair.source for pair in pairs)
    targets = (pair.target for pair in pairs)
    if not shared:
        return TokenizerPair(train_tokenizer(sources, settings), train_tokenizer(targets, settings))
    tokenizer = train_tokenizer((text for pair in pairs for text in (pair.source, pair.target)), settings)
    return TokenizerPair(tokenizer, tokenizer)


def encode_pairs(pairs: Sequence[TextPair], tokenizers: TokenizerPair, longest: int) -> EncodedPairs:
    """Return the pairs as ids, cut to `longest` positions; what was cut and unknown is counted."""
    source, source_counts = encode_sources([pair.source for pair in pairs], tokenizers.source, longest)
    target, target_counts = encode_targets([pair.target for pair in pairs], tokenizers.target, longest)
    return EncodedPairs(source, target, sum(source_counts, TokenCounts()), sum(target_counts, TokenCounts()))


def encode_sources(texts: Sequence[str], tokenizer: Tokenizer, longest: int) -> tuple[Rows, list[TokenCounts]]:
    """Return source texts as ids, each with its end, and what was cut and unknown in each."""
    room = longest - 1
    ids_of_texts = tokenizer.ids_of(texts)
    rows = rows_from([[*ids[:room], tokenizer.end] for ids in ids_of_texts])
    return rows, [count_tokens(ids, room, tokenizer.unknown) for ids in ids_of_texts]


def encode_targets(texts: Sequence[str], tokenizer: Tokenizer, longest: int) -> tuple[Rows, list[TokenCounts]]:
    """Return target texts as ids between start and end, and what was cut and unknown in each."""
    room = longest - 1
    ids_of_texts = tokenizer.ids_of(texts)
    # A target that is cut has no end: the model must not learn to stop there.
    ends = [[tokenizer.end] if len(ids) <= room else [] for ids in ids_of_texts]
    rows = rows_from([[tokenizer.start, *ids[:room], *end] for ids, end in zip(ids_of_texts, ends, strict=True)])
    return rows, [count_tokens(ids, room, tokenizer.unknown) for ids in ids_of_texts]


def batch_of(pairs: EncodedPairs, chosen: Sequence[int]) -> TranslationBatch:
    """Return the chosen pairs as one padded batch."""
    source_ids, source_keep = pad_rows(pairs.source, chosen)
    whole_ids, whole_keep = pad_rows(pairs.target, chosen)
    return TranslationBatch(source_ids, source_keep, whole_ids[:, :-1], whole_keep[:, 1:], whole_ids[:, 1:])


class TranslationObjective(nn.Module):
    """The loss of a batch, summed over real target tokens, with label smoothing (Szegedy et al. 2016, section 7)."""

    def __init__(self, model: Seq2Seq, label_smoothing: float) -> None:
        super().__init__()
        self.model = model
        self.label_smoothing = label_smoothing

    def forward(self, batch: TranslationBatch) -> Tensor:
        """Return the summed loss."""
        hidden_BTD = self.model.hidden(batch.source_ids, batch.source_keep, batch.target_ids, batch.target_keep)
        # Only real positions go through the vocabulary, the most expensive layer of a small model.
        hidden_ND, next_N = hidden_BTD[batch.target_keep], batch.next_ids[batch.target_keep]
        return vocabulary_loss(hidden_ND, self.model.vocabulary, next_N, self.label_smoothing)


class Taught(Protocol):
    """A batch of texts that a model learns to write."""

    @property
    def tokens(self) -> int:
        """Return the number of real target tokens."""
        ...


@torch.no_grad()
def loss_per_token(objective: nn.Module, batches: Iterable[Taught]) -> float:
    """Return the mean loss of a real target token; without label smoothing it is the negative log-likelihood."""
    totals, tokens = 0.0, 0
    for batch in batches:
        totals += float(objective(batch))
        tokens += batch.tokens
    return totals / tokens
