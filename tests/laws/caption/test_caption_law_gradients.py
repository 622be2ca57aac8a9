"""Every parameter of a captioner learns, save where the mathematics says zero: see the law of the folder above."""

import torch
from key_gradients import check_gradients
from torch.nn import functional


def test_every_parameter_of_a_captioner_gets_a_gradient(make_model, case) -> None:
    model = make_model(seed=5)
    logits_NV = model(*case.inputs)[case.target_keep]
    functional.cross_entropy(logits_NV, torch.arange(len(logits_NV))).backward()
    check_gradients(model)
