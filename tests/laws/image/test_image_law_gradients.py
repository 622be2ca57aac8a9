"""Every parameter of an image classifier learns, save where the mathematics says zero: a key's bias."""

import torch
from key_gradients import check_gradients
from torch.nn import functional


def test_every_parameter_of_an_image_classifier_gets_a_gradient(make_model, images) -> None:
    model = make_model(seed=5)
    functional.cross_entropy(model(images), torch.tensor([0, 1, 2])).backward()
    check_gradients(model)
