"""`Decision`: a label among several, what is to be explained of it, and the rival that it is weighed against.

What moved an answer is told of the distance between two logits: of the answer, and of the label that came nearest to
it. A logit by itself says nothing, since all may rise together; and once an answer is certain its probability no longer
moves.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from heed.errors import UsageError
from heed.files.quoting import first_of, quote
from heed.inspection.explaining.asked import Asked
from heed.inspection.explanation import Choice

MOST_CHOICES = 10
MOST_NAMES = 20  # of labels in a message


@dataclass(frozen=True)
class Decision:
    """What a model says, by the places of the labels among their names."""

    names: tuple[str, ...]
    probabilities: tuple[float, ...]
    best: int
    explained: int
    rival: int

    @property
    def answer(self) -> str:
        """Return what the model says."""
        return self.names[self.best]

    @property
    def probability(self) -> float:
        """Return how probable that is."""
        return self.probabilities[self.best]

    @property
    def told(self) -> str:
        """Return the label that is explained."""
        return self.names[self.explained]

    @property
    def note(self) -> str:
        """Return a sentence on what the shares are shares of."""
        return f"The shares are of the lead of {quote(self.told)} over {quote(self.names[self.rival])}."

    def lead(self, logits_C: Tensor) -> Tensor:
        """Return how far the label that is explained stands before its rival."""
        return logits_C[self.explained] - logits_C[self.rival]

    def choices(self) -> tuple[Choice, ...]:
        """Return the most probable labels, best first."""
        ranked = sorted(range(len(self.names)), key=lambda label: -self.probabilities[label])
        return tuple(Choice(self.names[label], self.probabilities[label]) for label in ranked[:MOST_CHOICES])


def decide(logits_C: Tensor, names: Sequence[str], answer: str | None) -> Decision:
    """Return the decision that the logits are; explain the given answer, or else the most probable one."""
    if answer is not None and answer not in names:
        known = first_of(list(map(quote, names)), MOST_NAMES)
        raise UsageError(f"There is no label {quote(answer)}. The model knows {known}.")
    best = int(logits_C.argmax())
    explained = best if answer is None else names.index(answer)
    probabilities = tuple(logits_C.detach().double().softmax(dim=0).tolist())
    return Decision(tuple(names), probabilities, best, explained, rival_of(logits_C, explained))


def rival_of(logits_C: Tensor, chosen: int) -> int:
    """Return the most probable of all others."""
    others_C = logits_C.detach().clone()
    others_C[chosen] = float("-inf")
    return int(others_C.argmax())


def leads(logits_TV: Tensor, chosen: Sequence[int]) -> Tensor:
    """Return (T,): how far what was chosen at each place stands before its rival there."""
    chosen_T1 = torch.tensor(chosen, dtype=torch.long)[:, None]
    others_TV = logits_TV.detach().scatter(1, chosen_T1, float("-inf"))
    rivals_T1 = others_TV.argmax(dim=1, keepdim=True)
    return (logits_TV.gather(1, chosen_T1) - logits_TV.gather(1, rivals_T1)).squeeze(1)


def refuse_answer(asked: Asked) -> None:
    """Refuse a label for a model that has none."""
    if asked.answer is not None:
        raise UsageError(f"{quote(asked.answer)} cannot be explained: this model foretells a number. Leave it out.")
