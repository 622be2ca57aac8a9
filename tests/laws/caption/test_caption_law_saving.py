"""Captioners that were saved and loaded say the same; chance is for training alone."""

import torch
from saved import check_saved_and_loaded, check_saved_once, check_taken_over


def test_a_saved_and_loaded_captioner_gives_equal_outputs(make_model, case) -> None:
    check_saved_and_loaded(make_model, lambda model: model(*case.inputs))


def test_weights_out_of_one_captioner_and_into_another_give_equal_outputs(make_model, case) -> None:
    check_taken_over(make_model, lambda model: model(*case.inputs))


def test_no_tensor_of_a_captioner_is_saved_under_two_names(make_model) -> None:
    check_saved_once(make_model(seed=5))


def test_training_of_a_captioner_is_random_exactly_when_something_is_dropped(make_model, case, settings) -> None:
    model = make_model(seed=5).train()
    shares = (settings.dropout, getattr(settings, "attention_dropout", 0.0), settings.encoder.dropout)
    assert torch.equal(model(*case.inputs), model(*case.inputs)) == (max(shares) == 0.0)
