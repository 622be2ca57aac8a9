"""Weights that were saved and loaded say the same of pictures; chance is for training alone."""

import torch
from saved import check_saved_and_loaded, check_saved_once, check_taken_over


def test_a_saved_and_loaded_image_classifier_gives_equal_outputs(make_model, images) -> None:
    check_saved_and_loaded(make_model, lambda model: model(images))


def test_weights_out_of_one_image_classifier_and_into_another_give_equal_outputs(make_model, images) -> None:
    check_taken_over(make_model, lambda model: model(images))


def test_no_tensor_of_an_image_classifier_is_saved_under_two_names(make_model) -> None:
    check_saved_once(make_model(seed=5))


def test_training_on_pictures_is_random_exactly_when_something_is_dropped(make_model, images, settings) -> None:
    model = make_model(seed=5).train()
    images = images.repeat(4, 1, 1, 1)  # so many that not all are left alone by chance
    shares = (settings.dropout, settings.attention_dropout, settings.drop_path)
    assert torch.equal(model(images), model(images)) == (max(shares) == 0.0)


def test_the_same_seed_drops_the_same(make_model, images) -> None:
    model = make_model(seed=5).train()
    torch.manual_seed(8)
    first = model(images)
    torch.manual_seed(8)
    assert torch.equal(model(images), first)


def test_evaluation_of_pictures_is_never_random(make_model, images) -> None:
    model = make_model(seed=5)
    assert torch.equal(model(images), model(images))
