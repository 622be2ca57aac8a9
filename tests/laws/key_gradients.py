"""What the laws of gradients share: which parts of a key's projection must stay without one, and the check of all."""

from torch import Tensor, nn

from heed.layers.attention import CrossAttention, SelfAttention
from heed.layers.scores import DotScore, GeneralScore, LocationScore


def silent(attention: SelfAttention | CrossAttention) -> set[str]:
    """Return which parts of the key's projection must get no gradient."""
    if isinstance(attention.attend.score, LocationScore):
        return {"weight", "bias"}
    turned = isinstance(attention, SelfAttention) and attention.rotary is not None
    plain = isinstance(attention.attend.score, DotScore | GeneralScore) and not turned
    return {"bias"} if plain else set()


def key_gradients(model: nn.Module) -> dict[str, tuple[Tensor, bool]]:
    """Return the gradients of each key's projection by name, and whether they must be zero."""
    found = {}
    for path, module in model.named_modules():
        match module:
            case SelfAttention():  # query, key and value in one
                joint, parts, place = module.project, 3, 1
            case CrossAttention():  # key and value
                joint, parts, place = module.key_value, 2, 0
            case _:
                continue
        for kind in ("weight", "bias"):
            if getattr(joint, kind) is not None:
                found[f"{path}.{kind}"] = getattr(joint, kind).grad.chunk(parts)[place], kind in silent(module)
    return found


def check_gradients(model: nn.Module) -> None:
    """Hold that every parameter has a gradient, and that just those are zero which must be."""
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, f"{name} has no gradient"
        assert parameter.grad.isfinite().all(), f"{name} has a gradient that is not finite"
        assert parameter.grad.abs().max() > 1e-9, f"the gradient of {name} is zero"
    for name, (gradient, zero) in key_gradients(model).items():
        largest = gradient.abs().max().item()
        assert (largest < 1e-14) if zero else (largest > 1e-9), f"the gradient of the key's {name} is {largest}"
