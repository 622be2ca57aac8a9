"""Every parameter gets a gradient, save where the mathematics says zero; saved and loaded weights give equal outputs.

As in the other laws of gradients: with a dot product as the score the key's bias moves all scores of a query alike, and
the location score does not read keys. Evaluation mode: dropout would blur, and batch statistics cancel biases.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

from heed.layers.attention import SelfAttention
from heed.layers.scores import DotScore, GeneralScore, LocationScore
from heed.models.weights import load_weights, weights_of


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
    logits_NV = model(case.token_ids, case.keep)[case.keep]
    functional.cross_entropy(logits_NV, torch.arange(len(logits_NV)) % 13).backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, f"{name} has no gradient"
        assert parameter.grad.isfinite().all(), f"{name} has a gradient that is not finite"
        assert parameter.grad.abs().max() > 1e-9, f"the gradient of {name} is zero"
    for name, (gradient, zero) in key_gradients(model).items():
        largest = gradient.abs().max().item()
        assert (largest < 1e-14) if zero else (largest > 1e-9), f"the gradient of the key's {name} is {largest}"


def test_weights_out_of_one_model_and_into_another_give_equal_outputs(make_model, case) -> None:
    first, second = make_model(seed=5), make_model(seed=6)
    assert not torch.equal(first(case.token_ids), second(case.token_ids))
    load_weights(second, weights_of(first), "the first model")
    assert torch.equal(first(case.token_ids), second(case.token_ids))
    places = [tensor.data_ptr() for tensor in weights_of(first).values()]
    assert len(places) == len(set(places))


def test_training_is_random_exactly_when_there_is_dropout_and_evaluation_never(make_model, case, settings) -> None:
    model = make_model(seed=5)
    assert torch.equal(model(case.token_ids), model(case.token_ids))
    model.train()
    shares = (settings.dropout, getattr(settings, "attention_dropout", 0.0))
    assert torch.equal(model(case.token_ids), model(case.token_ids)) == (max(shares) == 0.0)
