"""The moving average of the weights: what is evaluated and kept, because it generalises better than the last step.

What is kept has its matrices rounded to 16-bit floats: the file is half as large, and prediction reads half as much
(`layers/packed.py`). Validation scores the rounded weights, so the score is that of what is kept. Training itself goes
on with the average as it is.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from heed.layers.half import rounded_to_half
from heed.models.weights import copy_weights, load_weights, weights_of


class WeightAverage:
    """An exponential moving average beside a model. With decay 0 it is the model itself."""

    def __init__(self, model: nn.Module, decay: float) -> None:
        self.decay = decay
        self.average = {name: tensor.clone() for name, tensor in weights_of(model).items()}

    @torch.no_grad()
    def update(self, model: nn.Module, step: int) -> None:
        """Move towards the model's weights; early steps move faster, so that the random start is soon forgotten."""
        decay = min(self.decay, (1 + step) / (10 + step))
        current = weights_of(model)
        floats = [name for name, tensor in current.items() if tensor.is_floating_point()]
        torch._foreach_lerp_([self.average[name] for name in floats], [current[name] for name in floats], 1 - decay)

    def weights(self) -> dict[str, Tensor]:
        """Return the averaged weights."""
        return dict(self.average)

    def restore(self, tensors: Mapping[str, Tensor], origin: str) -> None:
        """Take up a saved average; refuse that of another model."""
        copy_weights(self.average, tensors, f"the average in {origin}")

    def rounded(self) -> dict[str, Tensor]:
        """Return what is evaluated and kept: the averaged weights, matrices rounded to 16-bit floats."""
        return {name: rounded_to_half(tensor) for name, tensor in self.average.items()}

    @contextmanager
    def inside(self, model: nn.Module) -> Iterator[None]:
        """Let the model carry the weights that would be kept, in evaluation mode, for the length of a `with`."""
        own = {name: tensor.clone() for name, tensor in weights_of(model).items()}
        training = model.training
        load_weights(model, self.rounded(), "the moving average")
        model.eval()
        try:
            yield
        finally:
            load_weights(model, own, "the training step")
            model.train(training)
