"""Every parameter gets a gradient, save where the mathematics says zero; saved and loaded weights give equal outputs.

As in the other laws of gradients: with a dot product as the score the key's bias moves all scores of a query alike, and
the location score does not read keys. Evaluation mode: dropout would blur, and batch statistics cancel biases.
"""

import torch
from key_gradients import check_gradients
from torch.nn import functional

from heed.models.weights import load_weights, weights_of


def test_every_parameter_gets_a_gradient_except_where_it_must_be_zero(make_model, case) -> None:
    model = make_model(seed=5)
    logits_NV = model(case.token_ids, case.keep)[case.keep]
    functional.cross_entropy(logits_NV, torch.arange(len(logits_NV)) % 13).backward()
    check_gradients(model)


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
