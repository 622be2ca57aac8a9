"""What the laws of saving share: weights that leave one model and enter another bring all that it says with them."""

import io
from collections.abc import Callable

import torch
from torch import Tensor, nn

from heed.models.weights import load_weights, weights_of

Make = Callable[..., nn.Module]
Run = Callable[[nn.Module], Tensor]


def check_saved_and_loaded(make_model: Make, run: Run) -> None:
    """Hold that a model that was saved and loaded gives equal outputs."""
    first, second = make_model(seed=5), make_model(seed=6)
    assert not torch.equal(run(first), run(second))
    saved = io.BytesIO()
    torch.save(first.state_dict(), saved)
    saved.seek(0)
    second.load_state_dict(torch.load(saved, weights_only=True))
    assert torch.equal(run(first), run(second))


def check_taken_over(make_model: Make, run: Run) -> None:
    """Hold that our own way out of one model and into another gives equal outputs."""
    first, second = make_model(seed=5), make_model(seed=6)
    load_weights(second, weights_of(first), "the first model")
    assert torch.equal(run(first), run(second))


def check_saved_once(model: nn.Module) -> None:
    """Hold that no tensor is saved under two names."""
    places = [tensor.data_ptr() for tensor in weights_of(model).values()]
    assert len(places) == len(set(places))
