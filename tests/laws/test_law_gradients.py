"""Every parameter learns: its gradient is there, finite and not zero, save where the mathematics says zero.

A softmax does not change when all scores of a query move by the same amount. With a dot product as the score, the key's
bias does just that (q . (k + b) = q . k + q . b), so its gradient is zero; it is not when the keys are turned by their
positions, normalised or put through a tanh. The location score does not read keys, so in a Transformer nothing of the
key's projection learns. Evaluation mode: dropout would blur, and batch statistics would cancel each bias before them.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

from heed.layers.attention import CrossAttention, SelfAttention
from heed.layers.scores import DotScore, GeneralScore, LocationScore


def without_key_parts(model: nn.Module) -> dict[str, Tensor]:
    """Return the gradients by name; joint projections are taken apart into query, key and value."""
    gradients = {name: parameter.grad for name, parameter in model.named_parameters()}
    parts: dict[str, Tensor] = {}
    for name, gradient in gradients.items():
        assert gradient is not None, f"{name} has no gradient"
        module, _, kind = name.rpartition(".")
        joint = {"project": ("query", "key", "value"), "key_value": ("key", "value")}.get(module.rpartition(".")[2])
        for part, piece in zip(joint or ("",), gradient.chunk(len(joint or ("",))), strict=True):
            parts[f"{module}.{part}.{kind}" if part else name] = piece
    return parts


def silent(model: nn.Module) -> set[str]:
    """Return the names of the key parts whose gradient must be zero."""
    names = set()
    for path, module in model.named_modules():
        if not isinstance(module, SelfAttention | CrossAttention):
            continue
        key = f"{path}.project.key" if isinstance(module, SelfAttention) else f"{path}.key_value.key"
        turned = isinstance(module, SelfAttention) and module.rotary is not None
        if isinstance(module.attend.score, LocationScore):
            names |= {f"{key}.weight", f"{key}.bias"}
        elif isinstance(module.attend.score, DotScore | GeneralScore) and not turned:
            names.add(f"{key}.bias")
    return names


def test_every_parameter_gets_a_gradient_except_where_it_must_be_zero(make_model, case) -> None:
    model = make_model(seed=5)
    logits_NV = model(*case.inputs)[case.target_keep]
    functional.cross_entropy(logits_NV, torch.arange(len(logits_NV))).backward()
    zero = silent(model)
    gradients = without_key_parts(model)
    assert zero <= set(gradients)
    for name, gradient in gradients.items():
        assert gradient.isfinite().all(), f"{name} has a gradient that is not finite"
        largest = gradient.abs().max().item()
        assert (largest < 1e-14) if name in zero else (largest > 1e-9), f"the gradient of {name} is {largest}"
