"""Task `pretrain`: stretches of a corpus become masked batches, batches become BERT's two losses."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from heed.layers.vocabulary_loss import vocabulary_loss
from heed.models.bert_pretraining import IS_NEXT, IS_RANDOM, BertPretraining
from heed.models.text_input import TextInput
from heed.tasks.masking import Masked, Masking, MaskingAudit, audit
from heed.tasks.pair_audit import PairAudit, audit_pairs
from heed.tasks.rows import pad_rows, rows_from
from heed.tasks.sentence_pairs import Pair, SentencePairs
from heed.tasks.sequences import Stretches
from heed.tokens.tokenizer import Tokenizer

Integers = NDArray[numpy.int64]

Kind = TypeVar("Kind", bound=numpy.generic)

AUDITED = 2_000  # sequences that the audit of the masking looks at
PAIRS_AUDITED = 4_000  # pairs that the audit of the pairs looks at; a small corpus is drawn from in several epochs
UNLABELLED = -100  # a pair of which nothing is asked; cross entropy passes over it
LABELS = {True: IS_NEXT, False: IS_RANDOM, None: UNLABELLED}  # by whether the second text follows the first


@dataclass(frozen=True)
class Example:
    """One sequence: [CLS] first [SEP] second [SEP], or [CLS] text [SEP]."""

    original: Integers
    shown: Integers  # with some tokens hidden
    chosen: NDArray[numpy.bool_]  # those that must be found
    second: int  # where the second text begins; the length where there is none
    follows: bool | None  # None: the pair has no label


@dataclass(frozen=True)
class PretrainingBatch:
    """Masked sequences, and what a BERT should say of them."""

    text: TextInput
    hidden: Tensor  # (B, T) bool: where a token must be found
    answers: Tensor  # (N,) the tokens that stood there, row by row
    order: Tensor | None  # (B,) IS_NEXT, IS_RANDOM or UNLABELLED; None without pairs

    @property
    def tokens(self) -> int:
        """Return the number of real tokens."""
        return int(self.text.keep.sum())

    @property
    def targets(self) -> int:
        """Return what the loss is divided by: the tokens to be found."""
        return len(self.answers)


@dataclass(frozen=True, eq=False)
class Sequencer:
    """Draws sequences from a corpus; what it draws is a pure function of (seed, epoch, sequence)."""

    stretches: Stretches
    masking: Masking
    tokenizer: Tokenizer
    drawn: SentencePairs | None  # around the stretches; None: sequences are single texts
    seed: int

    def __len__(self) -> int:
        return len(self.stretches)

    @property
    def pairs(self) -> bool:
        """Tell whether sequences are pairs of texts."""
        return self.drawn is not None

    def lengths(self) -> Integers:
        """Return how many tokens (N, 2) each sequence has at most, as the order of batches wants them."""
        texts = self.stretches.lengths if self.drawn is None else self.drawn.lengths()
        whole = texts + frame_size(self.pairs)
        return numpy.stack([whole, numpy.zeros_like(whole)], axis=1)

    def example(self, index: int, epoch: int) -> Example:
        """Return a sequence as one epoch draws it."""
        generator = self._generator(index, epoch)
        pair = self._pair(index, generator)
        masked = self.masking.draw(numpy.concatenate([pair.first, pair.second]), generator)
        return self._framed(pair, masked)

    def audit(self) -> MaskingAudit:
        """Return what masking does to sequences of the first epoch, evenly spread over the corpus."""
        examples = [self.example(index, 0) for index in self._spread(AUDITED)]
        inner = [~numpy.isin(each.original, self._marks()) for each in examples]
        shown = [Masked(each.shown[own], each.chosen[own]) for each, own in zip(examples, inner, strict=True)]
        originals = [each.original[own] for each, own in zip(examples, inner, strict=True)]
        return audit(shown, originals, self.masking.mask)

    def audit_pairs(self) -> PairAudit | None:
        """Return how well pairs are told apart without reading them; None where no pair has a label."""
        if self.drawn is None or not self.drawn.labelled:
            return None
        spread = self._spread(PAIRS_AUDITED)
        epochs = -(-PAIRS_AUDITED // len(spread))
        pairs = [self._pair(index, self._generator(index, epoch)) for epoch in range(epochs) for index in spread]
        # Every pair of a stretch falls to the same half, or a rule would be scored on what it was made from.
        return audit_pairs(pairs, numpy.tile(numpy.arange(len(spread)) % 2 == 0, epochs))

    def hidden_on_average(self) -> float:
        """Return how many tokens of a sequence are to be found, as the first epoch draws them."""
        return float(numpy.mean([self.example(index, 0).chosen.sum() for index in self._spread(AUDITED)]))

    def _spread(self, most: int) -> Integers:
        return numpy.unique(numpy.linspace(0, len(self) - 1, most).astype(numpy.int64))

    def _generator(self, index: int, epoch: int) -> numpy.random.Generator:
        return numpy.random.Generator(numpy.random.PCG64([self.seed, epoch, int(index)]))

    def _pair(self, index: int, generator: numpy.random.Generator) -> Pair:
        if self.drawn is not None:
            return self.drawn.draw(index, generator)
        return Pair(self.stretches.tokens(index), numpy.zeros(0, dtype=numpy.int64), None)

    def _framed(self, pair: Pair, masked: Masked) -> Example:
        first, (start, end) = len(pair.first), self._marks()
        return Example(
            original=_between(numpy.concatenate([pair.first, pair.second]), first, start, end, self.pairs),
            shown=_between(masked.token_ids, first, start, end, self.pairs),
            chosen=_between(masked.chosen, first, False, False, self.pairs),
            second=first + 2,
            follows=pair.follows,
        )

    def _marks(self) -> tuple[int, int]:
        return self.tokenizer.start, self.tokenizer.end


def frame_size(pairs: bool) -> int:
    """Return how many tokens stand around the texts of a sequence."""
    return 3 if pairs else 2


def _between(values: NDArray[Kind], first: int, start: int, end: int, pairs: bool) -> NDArray[Kind]:
    """Return the values of both texts with those of the tokens around them; `first` is the length of the first."""
    marks = numpy.asarray([start, end], dtype=values.dtype)
    second = [values[first:], marks[1:]] if pairs else []
    return numpy.concatenate([marks[:1], values[:first], marks[1:], *second])


def batch_of(examples: Sequence[Example], pairs: bool) -> PretrainingBatch:
    """Return the examples as one padded batch."""
    everything = range(len(examples))
    token_ids, keep = pad_rows(rows_from([each.shown.tolist() for each in examples]), everything)
    hidden = torch.zeros_like(keep)
    hidden[keep] = torch.from_numpy(numpy.concatenate([each.chosen for each in examples]))
    answers = torch.from_numpy(numpy.concatenate([each.original[each.chosen] for each in examples]))
    if not pairs:
        return PretrainingBatch(TextInput(token_ids, keep), hidden, answers, None)
    seconds_B = torch.tensor([each.second for each in examples])
    segments = (torch.arange(token_ids.shape[1])[None, :] >= seconds_B[:, None]).long() * keep
    order = torch.tensor([LABELS[each.follows] for each in examples])
    return PretrainingBatch(TextInput(token_ids, keep, segments), hidden, answers, order)


class PretrainingObjective(nn.Module):
    """The loss of a batch, summed over the tokens to be found; that of pairs weighs as much as theirs.

    A pair counts as `next_weight` tokens, the mean number to be found in a sequence: dividing the sum by the tokens
    then gives the mean over tokens plus the mean over pairs, however a step is cut into batches.
    """

    def __init__(self, model: BertPretraining, next_weight: float, label_smoothing: float = 0.0) -> None:
        super().__init__()
        self.model = model
        self.next_weight = next_weight
        self.label_smoothing = label_smoothing  # of hidden words; whether a text follows is learnt as it is

    def forward(self, batch: PretrainingBatch) -> Tensor:
        """Return the summed loss."""
        said = self.model(batch.text, batch.hidden)
        loss = vocabulary_loss(said.features_ND, self.model.masked.vocabulary, batch.answers, self.label_smoothing)
        if batch.order is None:
            return loss
        pairs = functional.cross_entropy(said.next_B2.float(), batch.order, reduction="sum")
        return loss + self.next_weight * pairs


@dataclass(frozen=True)
class PretrainingScores:
    """How well hidden words are found, and pairs told apart."""

    loss: float  # mean negative log-likelihood of a hidden token, nats
    accuracy: float  # of hidden tokens
    next_accuracy: float | None  # of pairs; None where no pair has a label


@torch.inference_mode()
def score_batches(model: BertPretraining, batches: Iterable[PretrainingBatch]) -> PretrainingScores:
    """Return the scores over all batches. The model must be in evaluation mode."""
    loss, right, count, right_pairs, pairs = 0.0, 0, 0, 0, 0
    for batch in batches:
        said = model(batch.text, batch.hidden)
        logits_NV = model.masked.vocabulary(said.features_ND).float()
        loss += float(functional.cross_entropy(logits_NV, batch.answers, reduction="sum"))
        right += int((logits_NV.argmax(dim=1) == batch.answers).sum())
        count += len(batch.answers)
        if batch.order is not None and said.next_B2 is not None:
            right_pairs += int((said.next_B2.argmax(dim=1) == batch.order).sum())
            pairs += int((batch.order != UNLABELLED).sum())
    return PretrainingScores(loss / count, right / count, right_pairs / pairs if pairs else None)
