"""Writing token by token gives what reading everything at once gives, whatever beams do to each other.

A Transformer's positions are full after `longest` tokens: then it reads the later half again, from its first position.
"""

import random

import pytest
import torch
from torch import Tensor

from heed.layers import cache as cache_module
from heed.models.language_transformer import LanguageTransformerSettings

BEAMS = 3
NOTHING = torch.zeros(3, 1, dtype=torch.long)  # what the first step is given: the prompt has taken its place


def window(settings, read: int, ids: list[int]) -> list[int]:
    """Return what a model sees of the ids, of which it read the first `read` at once and the others one by one."""
    if not isinstance(settings, LanguageTransformerSettings):
        return ids
    seen = ids[:read][-settings.longest :]
    for token in ids[read:]:
        seen = [*seen, token]
        if len(seen) > settings.longest:
            seen = seen[-(settings.longest // 2) :]
    return seen


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_steps_equal_one_pass(model, case, same) -> None:
    whole_BTV = model(case.token_ids)
    step_B1V, state = model.step(NOTHING, model.start(case.token_ids[:, :2]))
    same(step_B1V[:, 0], whole_BTV[:, 1])
    for place in range(2, case.token_ids.shape[1]):
        step_B1V, state = model.step(case.token_ids[:, place : place + 1], state)
        same(step_B1V[:, 0], whole_BTV[:, place])


def test_a_prompt_longer_than_the_model_reads_is_seen_from_its_end(model, settings, same) -> None:
    long_ids = torch.arange(2 * 15).view(2, 15) % 13
    logits_B1V, _ = model.step(NOTHING[:2], model.start(long_ids))
    seen = torch.tensor([window(settings, 15, row) for row in long_ids.tolist()])
    same(logits_B1V[:, 0], model(seen)[:, -1])


class Beams:
    """Beams that do at random what a search may do; each beam's whole history is kept beside, in plain lists."""

    def __init__(self, model, settings, prompt_ids: Tensor, seed: int) -> None:
        self.model, self.settings = model, settings
        self.read = prompt_ids.shape[1]
        self.random = random.Random(seed)
        self.histories: list[list[list[int]]] = [[row] for row in prompt_ids.tolist()]
        _, self.state = model.step(NOTHING, model.start(prompt_ids))

    def step(self) -> Tensor:
        """Give each beam a random token; return the logits (B, W, V)."""
        for beams in self.histories:
            for history in beams:
                history.append(self.random.randrange(13))
        last_BW = torch.tensor([[history[-1] for history in beams] for beams in self.histories])
        logits_BWV, self.state = self.model.step(last_BW, self.state)
        return logits_BWV

    def reorder(self, staying: list[int], width: int) -> None:
        """Keep some sources; let each new beam continue a random old one, so that some double and some die out."""
        old = len(self.histories[0])
        chosen = [[self.random.randrange(old) for _ in range(width)] for _ in staying]
        self.state = self.model.reorder(self.state, torch.tensor(staying), torch.tensor(chosen))
        self.histories = [[self.histories[b][w][:] for w in row] for b, row in zip(staying, chosen, strict=True)]

    def uncached(self) -> Tensor:
        """Return the logits (B, W, V) that a single pass over what each beam sees of its own history gives."""
        seen = [window(self.settings, self.read, history) for beams in self.histories for history in beams]
        return self.model(torch.tensor(seen))[:, -1].unflatten(0, (-1, len(self.histories[0])))


def test_each_beam_goes_on_from_its_own_history_beyond_the_longest(model, settings, case, same, monkeypatch) -> None:
    monkeypatch.setattr(cache_module, "ROOM", 4)  # so that the cache must grow, and more than once
    beams = Beams(model, settings, case.token_ids[:, :2], seed=1)
    same(beams.step(), beams.uncached())
    everybody = [0, 1, 2]
    for staying in (*[everybody] * 8, [0, 2], [0, 1], *[[0, 1]] * 5, [1], [0], [0]):
        beams.reorder(staying, BEAMS)
        same(beams.step(), beams.uncached())
    assert len(beams.histories[0][0]) > 2 * settings.longest, "the window must have slid twice"


def test_beams_may_become_fewer(model, settings, case, same) -> None:
    beams = Beams(model, settings, case.token_ids[:, :3], seed=2)
    beams.step()
    for width in (3, 3, 2, 2, 1, 1, 2, 1):
        beams.reorder([0, 1, 2], width)
        same(beams.step(), beams.uncached())
