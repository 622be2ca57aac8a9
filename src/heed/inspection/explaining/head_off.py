"""What an answer becomes without one head: its output is set to zero while the model runs, and nothing else changes."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from heed.inspection.explanation import HeadOff, Looked
from heed.layers.attention import Attend


@dataclass(frozen=True)
class Said:
    """How probable the answer of the whole model is, and what is answered."""

    probability: float
    answer: str


@dataclass(frozen=True, eq=False)
class Place:
    """The attention of a site; where two towers share one, which of its calls is meant."""

    attend: Attend
    call: int | None = None


def places_in(model: nn.Module) -> dict[str, Place]:
    """Return the attention of each site of a model."""
    return {module.site: Place(module) for module in model.modules() if isinstance(module, Attend)}


def rank_heads(
    places: dict[str, Place], looked: Sequence[Looked], whole: Said, say: Callable[[], Said]
) -> tuple[HeadOff, ...]:
    """Return what is said without each head of the sites that were looked at, the largest change first."""
    found = []
    for each in looked:
        for head in range(len(each.weights_HTS)):
            with torch.inference_mode(), without_head(places[each.site], head):
                said = say()
            found.append(HeadOff(each.site, head, said.probability, said.answer))
    return tuple(sorted(found, key=lambda off: -abs(off.probability - whole.probability)))


@contextmanager
def without_head(place: Place, head: int) -> Iterator[None]:
    """Let one head say nothing."""
    calls = 0

    def silence(module: nn.Module, inputs: tuple[object, ...], mixed_BHTK: Tensor) -> Tensor:
        nonlocal calls
        calls += 1
        if place.call is not None and calls - 1 != place.call:
            return mixed_BHTK
        silent_BHTK = mixed_BHTK.clone()
        silent_BHTK[:, head] = 0
        return silent_BHTK

    handle = place.attend.register_forward_hook(silence)
    try:
        yield
    finally:
        handle.remove()
