"""Captioners that were saved and loaded say the same; chance is for training alone."""

import io

import torch

from heed.models.weights import load_weights, weights_of


def test_a_saved_and_loaded_captioner_gives_equal_outputs(make_model, case) -> None:
    first, second = make_model(seed=5), make_model(seed=6)
    assert not torch.equal(first(*case.inputs), second(*case.inputs))
    saved = io.BytesIO()
    torch.save(first.state_dict(), saved)
    saved.seek(0)
    second.load_state_dict(torch.load(saved, weights_only=True))
    assert torch.equal(first(*case.inputs), second(*case.inputs))


def test_weights_out_of_one_captioner_and_into_another_give_equal_outputs(make_model, case) -> None:
    first, second = make_model(seed=5), make_model(seed=6)
    load_weights(second, weights_of(first), "the first model")
    assert torch.equal(first(*case.inputs), second(*case.inputs))


def test_no_tensor_of_a_captioner_is_saved_under_two_names(make_model) -> None:
    places = [tensor.data_ptr() for tensor in weights_of(make_model(seed=5)).values()]
    assert len(places) == len(set(places))


def test_training_of_a_captioner_is_random_exactly_when_something_is_dropped(make_model, case, settings) -> None:
    model = make_model(seed=5).train()
    shares = (settings.dropout, getattr(settings, "attention_dropout", 0.0), settings.encoder.dropout)
    assert torch.equal(model(*case.inputs), model(*case.inputs)) == (max(shares) == 0.0)
