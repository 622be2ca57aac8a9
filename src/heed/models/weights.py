"""Weights out of a model and into a model, each tied table once, and nothing loaded that does not fit exactly."""

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from heed.errors import RunError


def weights_of(model: nn.Module) -> dict[str, Tensor]:
    """Return the parameters and saved buffers by name; a table that is shared appears under its first name alone."""
    saved = model.state_dict()
    buffers = {name: buffer for name, buffer in model.named_buffers() if name in saved}
    return {name: tensor.detach() for name, tensor in (*model.named_parameters(), *buffers.items())}


def load_weights(model: nn.Module, weights: Mapping[str, Tensor], origin: str) -> None:
    """Copy the weights into the model, or refuse with every difference named."""
    copy_weights(weights_of(model), weights, origin)


def copy_weights(own: Mapping[str, Tensor], weights: Mapping[str, Tensor], origin: str) -> None:
    """Copy the weights into tensors of the same names, or refuse with every difference named."""
    problems = [f"{name} is missing" for name in own if name not in weights]
    problems += [f"{name} is not part of this model" for name in weights if name not in own]
    problems += [
        f"{name} is {tuple(weights[name].shape)}, the model has {tuple(own[name].shape)}"
        for name in own
        if name in weights and weights[name].shape != own[name].shape
    ]
    if problems:
        shown = "; ".join(problems[:5]) + (f"; and {len(problems) - 5} more" if len(problems) > 5 else "")
        raise RunError(
            f"The weights of {origin} do not fit the model: {shown}. "
            f"They belong to other settings or another vocabulary: use the settings.json and tokenizer.json of the run."
        )
    with torch.no_grad():
        for name, tensor in own.items():
            tensor.copy_(weights[name])


def parameter_count(model: nn.Module) -> int:
    """Return how many numbers are learnt; a shared table counts once."""
    return sum(parameter.numel() for parameter in model.parameters())
