"""`Beams`: what a search may do to beams, done at random, with each beam's whole history kept beside."""

import random
from collections.abc import Sequence

import torch
from torch import Tensor

WORDS = 11  # of the smallest vocabulary that a law has


class Beams:
    """Beams over sources, whatever these are: `sources` is what the model takes before the target."""

    def __init__(self, model, sources: Sequence[Tensor], seed: int) -> None:
        self.model, self.given = model, sources
        self.random = random.Random(seed)
        self.state = model.start(*sources)
        self.sources = list(range(len(sources[0])))
        self.histories: list[list[list[int]]] = [[[]] for _ in self.sources]

    def step(self) -> Tensor:
        """Give each beam a random token; return the logits (B, W, V)."""
        for beams in self.histories:
            for history in beams:
                history.append(self.random.randrange(WORDS))
        last_BW = torch.tensor([[history[-1] for history in beams] for beams in self.histories])
        logits_BWV, self.state = self.model.step(last_BW, self.state)
        return logits_BWV

    def reorder(self, staying: list[int], width: int) -> None:
        """Keep some sources; let each new beam continue a random old one, so that some double and some die out."""
        old = len(self.histories[0])
        chosen = [[self.random.randrange(old) for _ in range(width)] for _ in staying]
        self.state = self.model.reorder(self.state, torch.tensor(staying), torch.tensor(chosen))
        self.histories = [[self.histories[b][w][:] for w in row] for b, row in zip(staying, chosen, strict=True)]
        self.sources = [self.sources[b] for b in staying]

    def uncached(self) -> Tensor:
        """Return the logits (B, W, V) that a single pass over each beam's own history gives."""
        width = len(self.histories[0])
        rows = torch.tensor(self.sources).repeat_interleave(width)
        target_ids = torch.tensor([history for beams in self.histories for history in beams])
        logits_RTV = self.model(*(each[rows] for each in self.given), target_ids)
        return logits_RTV[:, -1].unflatten(0, (-1, width))
