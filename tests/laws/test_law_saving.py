"""Weights that were saved and loaded give equal outputs; dropout is random in training and absent in evaluation."""

import torch
from saved import check_saved_and_loaded, check_saved_once, check_taken_over


def test_a_saved_and_loaded_model_gives_equal_outputs(make_model, case) -> None:
    check_saved_and_loaded(make_model, lambda model: model(*case.inputs))


def test_weights_out_of_one_model_and_into_another_give_equal_outputs(make_model, case) -> None:
    check_taken_over(make_model, lambda model: model(*case.inputs))


def test_no_tensor_is_saved_under_two_names(make_model) -> None:
    check_saved_once(make_model(seed=5))


def test_training_is_random_exactly_when_there_is_dropout(make_model, case, settings) -> None:
    model = make_model(seed=5).train()
    shares = (settings.dropout, getattr(settings, "attention_dropout", 0.0))
    assert torch.equal(model(*case.inputs), model(*case.inputs)) == (max(shares) == 0.0)


def test_evaluation_is_never_random(make_model, case) -> None:
    model = make_model(seed=5)
    assert torch.equal(model(*case.inputs), model(*case.inputs))
