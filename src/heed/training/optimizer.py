"""What moves the weights: AdamW (Loshchilov and Hutter 2019), or Muon for matrices with AdamW for the rest.

State goes by parameter names, so that it can be saved without pickle.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from heed.errors import RunError, SettingsError
from heed.machine import gains_by_onednn
from heed.training.depth import rate_shares
from heed.training.muon import Muon, by_onednn, by_torch, matrices_in
from heed.training.settings import TrainingSettings

Optimizers = Sequence[torch.optim.Optimizer]  # each parameter that learns belongs to one of them


def build_optimizers(model: nn.Module, settings: TrainingSettings) -> Optimizers:
    """Return what moves the parameters of a model that are not frozen; each group has its `share` of the rate.

    Decay is on matrices alone: biases and norms have nothing to gain from being small.
    """
    matrices = matrices_in(model) if settings.optimizer == "muon" else {}
    if settings.optimizer == "muon" and not matrices:
        raise SettingsError(
            "training.optimizer is muon, but nothing that learns in this model is for it: it moves the matrices of "
            "attention, of feed-forward layers and of a picture's convolutions. Use training.optimizer=adamw."
        )
    groups: dict[tuple[float, float, int], list[nn.Parameter]] = {}
    shares = rate_shares(model, settings.layer_decay)
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            decay = settings.weight_decay if parameter.ndim > 1 else 0.0
            groups.setdefault((decay, shares[name], matrices.get(parameter, 0)), []).append(parameter)
    built: list[torch.optim.Optimizer] = []
    if for_muon := [_group(*key, members) for key, members in groups.items() if key[-1]]:
        dtype = torch.bfloat16 if settings.precision == "bf16" else torch.get_default_dtype()
        built.append(Muon(for_muon, dtype, by_onednn if gains_by_onednn() else by_torch))
    if others := [_group(*key, members) for key, members in groups.items() if not key[-1]]:
        # beta2 = 0.98 as in Vaswani et al. 2017; fused does in one pass over memory what plain does in ten.
        built.append(torch.optim.AdamW(others, betas=(0.9, 0.98), eps=1e-9, fused=True))
    return built


def move(optimizers: Optimizers, rate: float) -> None:
    """Take one step along the gradients, each group at its share of the rate, and forget them."""
    for optimizer in optimizers:
        for group in optimizer.param_groups:
            group["lr"] = rate * group["share"]
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)


def optimizer_state(optimizers: Optimizers, model: nn.Module) -> dict[str, Tensor]:
    """Return the moments as `first.NAME`, `second.NAME`, `step.NAME`, `momentum.NAME`; none before the first step."""
    states = {parameter: state for optimizer in optimizers for parameter, state in optimizer.state.items()}
    tensors = {}
    for name, parameter in model.named_parameters():
        for ours, torchs in NAMES.items():
            if torchs in states.get(parameter, {}):
                tensors[f"{ours}.{name}"] = states[parameter][torchs]
    return tensors


def load_optimizer_state(optimizers: Optimizers, model: nn.Module, tensors: Mapping[str, Tensor]) -> None:
    """Put saved moments back; refuse those of another model."""
    owners = {each: owner for owner in optimizers for group in owner.param_groups for each in group["params"]}
    for name, parameter in model.named_parameters():
        found = {torchs: tensors[f"{ours}.{name}"] for ours, torchs in NAMES.items() if f"{ours}.{name}" in tensors}
        if not found:
            continue
        shapes = {key: tuple(tensor.shape) for key, tensor in found.items()}
        wanted = _shapes(owners.get(parameter), parameter)
        if shapes != wanted:
            raise RunError(
                f"The optimizer's state for {name} is {shapes}, the model needs {wanted}. "
                f"The checkpoint belongs to other settings: resume with the run's own."
            )
        owners[parameter].state[parameter] = {key: tensor.clone() for key, tensor in found.items()}


NAMES = {"first": "exp_avg", "second": "exp_avg_sq", "step": "step", "momentum": "momentum_buffer"}


def _group(decay: float, share: float, matrices: int, members: list[nn.Parameter]) -> dict[str, Any]:  # Any: torch's
    return {"params": members, "weight_decay": decay, "share": share, "matrices": matrices}


def _shapes(owner: torch.optim.Optimizer | None, parameter: nn.Parameter) -> dict[str, tuple[int, ...]]:
    """Return the shapes of what an optimizer keeps of a parameter; nothing if the parameter is frozen."""
    shape = tuple(parameter.shape)
    match owner:
        case None:
            return {}
        case Muon():
            return {"momentum_buffer": shape}
        case _:
            return {"exp_avg": shape, "exp_avg_sq": shape, "step": ()}
