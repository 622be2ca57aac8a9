"""Writing word by word gives what reading the whole caption gives, whatever beams do to each other."""

import pytest
import torch
from beams import Beams

from heed.layers import cache as cache_module

BEAMS = 3


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_words_one_by_one_equal_one_pass_over_the_caption(model, case, same) -> None:
    whole_BTV = model(case.images, case.target_ids)
    state = model.start(case.images)
    for place in range(case.target_ids.shape[1]):
        step_B1V, state = model.step(case.target_ids[:, place : place + 1], state)
        same(step_B1V[:, 0], whole_BTV[:, place])


def test_each_beam_of_a_caption_goes_on_from_its_own_history(model, case, same, monkeypatch) -> None:
    monkeypatch.setattr(cache_module, "ROOM", 4)  # so that the cache must grow
    beams = Beams(model, (case.images,), seed=1)
    same(beams.step(), beams.uncached())
    # Pictures leave, beams become more and fewer.
    for staying, width in (([0, 1, 2], BEAMS), ([0, 1, 2], BEAMS), ([0, 2], BEAMS), ([0, 1], 2), ([1], 1)):
        beams.reorder(staying, width)
        same(beams.step(), beams.uncached())
