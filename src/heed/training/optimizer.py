"""AdamW (Loshchilov and Hutter 2019) by parameter names, so that its state can be saved without pickle."""

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from heed.errors import RunError
from heed.training.depth import rate_shares


def build_optimizer(model: nn.Module, weight_decay: float, layer_decay: float = 1.0) -> torch.optim.AdamW:
    """Return AdamW with decay on matrices alone: biases and norms have nothing to gain from being small.

    Parameters that are frozen are left out. Each group has its `share` of the learning rate.
    """
    members: dict[tuple[float, float], list[nn.Parameter]] = {}
    shares = rate_shares(model, layer_decay)
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            decay = weight_decay if parameter.ndim > 1 else 0.0
            members.setdefault((decay, shares[name]), []).append(parameter)
    groups = [{"params": each, "weight_decay": decay, "share": share} for (decay, share), each in members.items()]
    # beta2 = 0.98 as in Vaswani et al. 2017; fused does in one pass over memory what plain does in ten.
    return torch.optim.AdamW(groups, betas=(0.9, 0.98), eps=1e-9, fused=True)


def set_rate(optimizer: torch.optim.AdamW, rate: float) -> None:
    """Let every group learn at its share of the rate."""
    for group in optimizer.param_groups:
        group["lr"] = rate * group["share"]


def optimizer_state(optimizer: torch.optim.AdamW, model: nn.Module) -> dict[str, Tensor]:
    """Return the moments as `first.NAME`, `second.NAME`, `step.NAME`; nothing before the first step."""
    tensors = {}
    for name, parameter in model.named_parameters():
        state = optimizer.state.get(parameter, {})
        for ours, torchs in NAMES.items():
            if torchs in state:
                tensors[f"{ours}.{name}"] = state[torchs]
    return tensors


def load_optimizer_state(optimizer: torch.optim.AdamW, model: nn.Module, tensors: Mapping[str, Tensor]) -> None:
    """Put saved moments back; refuse those of another model."""
    for name, parameter in model.named_parameters():
        found = {torchs: tensors[f"{ours}.{name}"] for ours, torchs in NAMES.items() if f"{ours}.{name}" in tensors}
        shapes = {key: tuple(tensor.shape) for key, tensor in found.items()}
        wanted = {"exp_avg": tuple(parameter.shape), "exp_avg_sq": tuple(parameter.shape), "step": ()}
        if found and shapes != wanted:
            raise RunError(
                f"The optimizer's state for {name} is {shapes}, the model needs {wanted}. "
                f"The checkpoint belongs to other settings: resume with the run's own."
            )
        if found:
            optimizer.state[parameter] = {key: tensor.clone() for key, tensor in found.items()}


NAMES = {"first": "exp_avg", "second": "exp_avg_sq", "step": "step"}
