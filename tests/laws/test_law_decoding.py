"""Decoding step by step gives what reading everything at once gives, whatever beams do to each other."""

import random

import pytest
import torch
from torch import Tensor

from heed.layers import cache as cache_module

BEAMS = 3


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_steps_equal_one_pass(model, case, same) -> None:
    whole_BTV = model(case.source_ids, case.source_keep, case.target_ids)
    state = model.start(case.source_ids, case.source_keep)
    for place in range(case.target_ids.shape[1]):
        step_B1V, state = model.step(case.target_ids[:, place : place + 1], state)
        same(step_B1V[:, 0], whole_BTV[:, place])


class Beams:
    """Beams that do at random what a search may do; each beam's whole history is kept beside, in plain lists."""

    def __init__(self, model, case, seed: int) -> None:
        self.model, self.case = model, case
        self.random = random.Random(seed)
        self.state = model.start(case.source_ids, case.source_keep)
        self.sources = list(range(len(case.source_ids)))
        self.histories: list[list[list[int]]] = [[[]] for _ in self.sources]

    def step(self) -> Tensor:
        """Give each beam a random token; return the logits (B, W, V)."""
        for beams in self.histories:
            for history in beams:
                history.append(self.random.randrange(11))
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
        logits_RTV = self.model(self.case.source_ids[rows], self.case.source_keep[rows], target_ids)
        return logits_RTV[:, -1].unflatten(0, (-1, width))


def test_each_beam_goes_on_from_its_own_history(model, case, same, monkeypatch) -> None:
    monkeypatch.setattr(cache_module, "ROOM", 4)  # so that the cache must grow, and more than once
    beams = Beams(model, case, seed=1)
    same(beams.step(), beams.uncached())
    for staying in ([0, 1, 2], [0, 1, 2], [0, 2], [0, 1], [1], [0]):
        beams.reorder(staying, BEAMS)
        same(beams.step(), beams.uncached())


def test_beams_may_become_fewer(model, case, same) -> None:
    beams = Beams(model, case, seed=2)
    beams.step()
    for width in (3, 3, 2, 1, 1):
        beams.reorder([0, 1, 2], width)
        same(beams.step(), beams.uncached())
