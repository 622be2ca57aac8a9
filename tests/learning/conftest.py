"""The reversing task: digits in, the same digits backwards out. It is learnt in seconds and graded without doubt.

A plain training loop, and greedy decoding over the model's own start and step; the tests get them as `reversing`.
"""

from dataclasses import dataclass

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from heed.layers.masks import keep_from_lengths
from heed.models.seq2seq import Seq2Seq, Seq2SeqSettings, build_seq2seq

PAD, START, END = 0, 1, 2
FIRST_DIGIT = 3
VOCABULARY = FIRST_DIGIT + 10
BATCH = 64


@dataclass(frozen=True)
class Digits:
    """Digits, padded: `source_ids` (B, S) end with END, `target_ids` (B, T) are reversed and begin with START."""

    source_ids: Tensor
    source_keep: Tensor
    target_ids: Tensor
    next_ids: Tensor
    lengths: Tensor

    def rows(self, chosen: Tensor) -> "Digits":
        """Return some of the sequences."""
        return Digits(*(getattr(self, name)[chosen] for name in self.__dataclass_fields__))


@dataclass(frozen=True)
class Reversing:
    """The task between two lengths, with 500 sequences that training never sees."""

    shortest: int
    longest: int
    seed: int

    def unseen(self) -> Digits:
        """Return the sequences to be graded on."""
        return draw(500, self.shortest, self.longest, torch.Generator().manual_seed(10_000 + self.seed))

    def train(self, settings: Seq2SeqSettings, steps: int, peak: float) -> Seq2Seq:
        """Return a model trained on fresh sequences by Adam, the rate rising and falling in straight lines."""
        torch.manual_seed(self.seed)
        model = build_seq2seq(settings, VOCABULARY, VOCABULARY)
        optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98))
        generator, held_out = torch.Generator().manual_seed(self.seed), self.unseen()
        for step in range(steps):
            optimizer.param_groups[0]["lr"] = peak * min((step + 1) / (0.1 * steps), (steps - step) / (0.9 * steps))
            digits = draw(BATCH, self.shortest, self.longest, generator)
            is_held_out = (digits.source_ids[:, None] == held_out.source_ids).all(dim=2).any(dim=1)
            optimizer.zero_grad()
            loss_of(model, digits.rows(~is_held_out)).backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        return model.eval()

    def exact(self, model: Seq2Seq, from_length: int = 0) -> float:
        """Return the share of unseen sequences, of at least some length, that come back without a single error."""
        digits = self.unseen()
        return reversed_exactly(model, digits.rows(digits.lengths >= from_length)).float().mean().item()


def draw(count: int, shortest: int, longest: int, generator: torch.Generator) -> Digits:
    """Return random sequences, every length equally often."""
    lengths = torch.randint(shortest, longest + 1, (count,), generator=generator)
    keep = keep_from_lengths(lengths, longest)
    digits_BS = torch.randint(FIRST_DIGIT, VOCABULARY, (count, longest), generator=generator)
    places_BS = (lengths[:, None] - 1 - torch.arange(longest)).clamp(min=0)
    backwards_BS = digits_BS.gather(1, places_BS).masked_fill(~keep, PAD)
    return Digits(
        source_ids=_with_end(digits_BS.masked_fill(~keep, PAD), lengths),
        source_keep=keep_from_lengths(lengths + 1, longest + 1),
        target_ids=functional.pad(backwards_BS, (1, 0), value=START),
        next_ids=_with_end(backwards_BS, lengths),
        lengths=lengths,
    )


def _with_end(token_ids: Tensor, lengths: Tensor) -> Tensor:
    return functional.pad(token_ids, (0, 1), value=PAD).scatter(1, lengths[:, None], END)


def loss_of(model: Seq2Seq, digits: Digits) -> Tensor:
    """Return the mean cross-entropy of a real target token."""
    real = digits.next_ids != PAD
    hidden_BTD = model.hidden(digits.source_ids, digits.source_keep, digits.target_ids, real)
    return functional.cross_entropy(model.vocabulary(hidden_BTD[real]), digits.next_ids[real])


@torch.no_grad()
def reversed_exactly(model: Seq2Seq, digits: Digits) -> Tensor:
    """Return (B,) bool: which sequences greedy stepping reverses without a single error, end included."""
    state = model.start(digits.source_ids, digits.source_keep)
    said = [torch.full((len(digits.lengths), 1), START)]
    for _ in range(digits.next_ids.shape[1]):
        logits_B1V, state = model.step(said[-1], state)
        said.append(logits_B1V.argmax(dim=-1))
    return ((torch.cat(said[1:], dim=1) == digits.next_ids) | (digits.next_ids == PAD)).all(dim=1)


@pytest.fixture
def reversing() -> type[Reversing]:
    """Return the task."""
    return Reversing
