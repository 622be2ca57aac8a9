"""Weights that were saved and loaded say the same; dropout is random in training and absent in evaluation."""

import io

import torch

from heed.models.weights import load_weights, weights_of


def test_a_saved_and_loaded_model_gives_equal_outputs(make_model, case) -> None:
    first, second = make_model(seed=5), make_model(seed=6)
    assert not torch.equal(first(case.texts), second(case.texts))
    saved = io.BytesIO()
    torch.save(first.state_dict(), saved)
    saved.seek(0)
    second.load_state_dict(torch.load(saved, weights_only=True))
    assert torch.equal(first(case.texts), second(case.texts))


def test_weights_out_of_one_model_and_into_another_give_equal_outputs(make_model, case) -> None:
    first, second = make_model(seed=5), make_model(seed=6)
    load_weights(second, weights_of(first), "the first model")
    assert torch.equal(first(case.texts), second(case.texts))


def test_no_tensor_is_saved_under_two_names(make_model) -> None:
    places = [tensor.data_ptr() for tensor in weights_of(make_model(seed=5)).values()]
    assert len(places) == len(set(places))


def test_training_is_random_exactly_when_there_is_dropout(make_model, case, settings) -> None:
    model = make_model(seed=5).train()
    shares = (settings.dropout, getattr(settings, "attention_dropout", 0.0))
    assert torch.equal(model(case.texts), model(case.texts)) == (max(shares) == 0.0)


def test_evaluation_is_never_random(make_model, case) -> None:
    model = make_model(seed=5)
    assert torch.equal(model(case.texts), model(case.texts))
