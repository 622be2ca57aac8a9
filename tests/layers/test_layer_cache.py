"""The cache of beams: slots never move, the table of ancestors tells whose they are."""

import torch
from torch import Tensor

from heed.layers import cache as cache_module
from heed.layers.cache import BeamCache, beams_of_sources, empty_cache, reading_cache

CPU = torch.device("cpu")


def numbered(cache: BeamCache, layer: int, *numbers: int) -> tuple[BeamCache, Tensor]:
    """Open a slot for each number in every source and write it there; return the numbers in all slots of source 0."""
    sources, opened = len(cache.ancestors_BWN), cache.open_slots(len(numbers))
    fresh_BHWK = torch.tensor(numbers, dtype=torch.float32).reshape(1, 1, -1, 1).expand(sources, 1, -1, 1)
    keys_BHNK, values_BHNK = opened.extend(layer, fresh_BHWK, -fresh_BHWK)
    assert torch.equal(keys_BHNK, -values_BHNK)
    return opened, keys_BHNK[0, 0, :, 0]


def rows_of(cache: BeamCache, source: int = 0) -> list[str]:
    """Return the table of ancestors as the module's docstring draws it."""
    return ["".join("x" if each else "." for each in beam) for beam in cache.ancestors_BWN[source].tolist()]


def test_the_picture_in_the_docstring() -> None:
    cache, _ = numbered(empty_cache(1, CPU), 0, 100)
    cache = cache.reorder(torch.tensor([0]), torch.tensor([[0, 0]]))
    cache, _ = numbered(cache, 0, 101, 102)
    cache = cache.reorder(torch.tensor([0]), torch.tensor([[0, 0]]))
    cache, slots = numbered(cache, 0, 103, 104)
    assert rows_of(cache) == ["xx.x.", "xx..x"]
    assert slots.tolist() == [100, 101, 102, 103, 104]
    assert cache.places().tolist() == [0, 1, 1, 2, 2]


def test_a_beam_that_changes_places_takes_its_past_along() -> None:
    cache, _ = numbered(empty_cache(1, CPU), 0, 1)
    cache = cache.reorder(torch.tensor([0]), torch.tensor([[0, 0]]))
    cache, _ = numbered(cache, 0, 2, 3)
    cache = cache.reorder(torch.tensor([0]), torch.tensor([[1, 0]]))
    assert rows_of(cache) == ["x.x", "xx."]


def test_sources_that_leave_take_their_slots_with_them() -> None:
    cache, _ = numbered(empty_cache(3, CPU), 0, 1)
    cache.keys[0][:, :, 0] = torch.tensor([10.0, 11.0, 12.0]).reshape(3, 1, 1)
    cache = cache.reorder(torch.tensor([0, 2]), torch.tensor([[0], [0]]))
    assert cache.keys[0][:, 0, 0, 0].tolist() == [10.0, 12.0]
    assert cache.ancestors_BWN.shape == (2, 1, 1)


def test_a_full_cache_grows_and_forgets_nothing(monkeypatch) -> None:
    monkeypatch.setattr(cache_module, "ROOM", 2)
    cache, rooms = empty_cache(1, CPU), set()
    for number in range(9):
        cache, slots = numbered(cache, 0, number)
        rooms.add(cache.keys[0].shape[2])
        assert slots.tolist() == list(range(number + 1))
    assert rooms == {2, 5, 11}  # it grows by at least its own size, so that growing is rare


def test_more_beams_than_room_fit_at_once(monkeypatch) -> None:
    monkeypatch.setattr(cache_module, "ROOM", 2)
    cache, _ = numbered(empty_cache(1, CPU), 0, 100)
    _, slots = numbered(cache.reorder(torch.tensor([0]), torch.tensor([[0] * 7])), 0, *range(7))
    assert slots.tolist() == [100, *range(7)]


def test_layers_have_slots_of_their_own() -> None:
    cache = empty_cache(1, CPU).open_slots(1)
    first, second = torch.full((1, 1, 1, 1), 5.0), torch.full((1, 1, 1, 1), 6.0)
    cache.extend(0, first, first)
    cache.extend(1, second, second)
    assert [keys[0, 0, 0, 0].item() for keys in cache.keys] == [5.0, 6.0]


def test_there_is_no_mask_while_there_was_only_ever_one_beam() -> None:
    cache = empty_cache(2, CPU).open_slots(1)
    assert cache.may_attend() is None
    cache = cache.open_slots(1)
    assert cache.may_attend() is None


def test_a_last_remaining_beam_does_not_see_the_slots_of_its_dead_rivals() -> None:
    cache, _ = numbered(empty_cache(1, CPU), 0, 1)
    cache = cache.reorder(torch.tensor([0]), torch.tensor([[0, 0]]))
    cache, _ = numbered(cache, 0, 2, 3)
    cache = cache.reorder(torch.tensor([0]), torch.tensor([[1]])).open_slots(1)
    assert cache.may_attend().tolist() == [[[[True, False, True, True]]]]


def test_a_text_that_is_read_at_once_is_the_past_of_the_steps_after_it() -> None:
    cache = reading_cache(2, 3, CPU)
    text_BHTK = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).reshape(2, 1, 3, 1)
    cache.extend(0, text_BHTK, -text_BHTK)
    assert (cache.position, cache.may_attend()) == (2, None)
    cache, slots = numbered(cache, 0, 7)
    assert slots.tolist() == [1, 2, 3, 7]
    assert cache.places().tolist() == [0, 1, 2, 3]


def test_sources_that_become_beams_lie_as_steps_would_have_laid_them() -> None:
    cache = reading_cache(2, 3, CPU)
    text_BHTK = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).reshape(2, 1, 3, 1)
    cache.extend(0, text_BHTK, -text_BHTK)
    cache, slots = numbered(beams_of_sources(cache, beams=2), 0, 7, 8)
    assert slots.tolist() == [1, 4, 2, 5, 3, 6, 7, 8]
    assert rows_of(cache) == ["x.x.x.x.", ".x.x.x.x"]
    assert cache.places().tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
