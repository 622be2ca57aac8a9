"""Every parameter of a classifier learns, and every word that was read, save where the mathematics says zero.

As in the other law of gradients: with a dot product as the score the key's bias moves all scores of a query alike, and
the location score does not read keys. Evaluation mode: dropout would blur, and batch statistics cancel biases.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

from heed.layers.attention import SelfAttention
from heed.layers.scores import DotScore, GeneralScore, LocationScore


def silent(attention: SelfAttention) -> set[str]:
    """Return which parts of the key's projection must get no gradient."""
    if isinstance(attention.attend.score, LocationScore):
        return {"weight", "bias"}
    plain = isinstance(attention.attend.score, DotScore | GeneralScore) and attention.rotary is None
    return {"bias"} if plain else set()


def key_gradients(model: nn.Module) -> dict[str, tuple[Tensor, bool]]:
    """Return the gradients of each key's projection by name, and whether they must be zero."""
    return {
        f"{path}.{kind}": (getattr(module.project, kind).grad.chunk(3)[1], kind in silent(module))
        for path, module in model.named_modules()
        if isinstance(module, SelfAttention)
        for kind in ("weight", "bias")
    }


def test_every_parameter_gets_a_gradient_except_where_it_must_be_zero(make_model, case) -> None:
    model = make_model(seed=5)
    functional.cross_entropy(model(case.texts), torch.tensor([0, 1, 2])).backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, f"{name} has no gradient"
        assert parameter.grad.isfinite().all(), f"{name} has a gradient that is not finite"
        assert parameter.grad.abs().max() > 1e-9, f"the gradient of {name} is zero"
    for name, (gradient, zero) in key_gradients(model).items():
        largest = gradient.abs().max().item()
        assert (largest < 1e-14) if zero else (largest > 1e-9), f"the gradient of the key's {name} is {largest}"


def test_words_get_a_gradient_exactly_when_they_were_read(make_model, case) -> None:
    model = make_model(seed=5)
    functional.cross_entropy(model(case.texts), torch.tensor([0, 1, 2])).backward()
    read = torch.cat([text.token_ids[text.keep] for text in case.texts]).unique()
    moved_V = model.encoder.embedding.weight.grad.abs().amax(dim=1) > 0
    assert torch.equal(moved_V.nonzero().flatten(), read)
