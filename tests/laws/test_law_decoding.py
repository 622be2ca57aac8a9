"""Decoding step by step gives what reading everything at once gives, whatever beams do to each other."""

import pytest
import torch
from beams import Beams

from heed.layers import cache as cache_module

BEAMS = 3


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_steps_equal_one_pass(model, case, same) -> None:
    whole_BTV = model(case.source_ids, case.source_keep, case.target_ids)
    state = model.start(case.source_ids, case.source_keep)
    for place in range(case.target_ids.shape[1]):
        step_B1V, state = model.step(case.target_ids[:, place : place + 1], state)
        same(step_B1V[:, 0], whole_BTV[:, place])


def test_each_beam_goes_on_from_its_own_history(model, case, same, monkeypatch) -> None:
    monkeypatch.setattr(cache_module, "ROOM", 4)  # so that the cache must grow, and more than once
    beams = Beams(model, (case.source_ids, case.source_keep), seed=1)
    same(beams.step(), beams.uncached())
    for staying in ([0, 1, 2], [0, 1, 2], [0, 2], [0, 1], [1], [0]):
        beams.reorder(staying, BEAMS)
        same(beams.step(), beams.uncached())


def test_beams_may_become_fewer(model, case, same) -> None:
    beams = Beams(model, (case.source_ids, case.source_keep), seed=2)
    beams.step()
    for width in (3, 3, 2, 1, 1):
        beams.reorder([0, 1, 2], width)
        same(beams.step(), beams.uncached())
