"""Two towers are one encoder: what is symmetric in a pair does not change when its texts change places."""

import torch


def test_swapped_texts_are_said_the_same_of_when_the_head_treats_them_alike(pair, same) -> None:
    model, first, second = pair
    width = model.encoder.pooled_width
    model.head.weight[:, :width] = model.head.weight[:, width : 2 * width]
    same(model([second, first]), model([first, second]))


def test_swapped_texts_are_said_other_things_of_when_the_head_treats_them_differently(pair) -> None:
    model, first, second = pair
    assert ((model([second, first]) - model([first, second])).abs() > 1e-9).any(dim=1).all()


def test_a_text_and_itself_lie_no_distance_apart(pair) -> None:
    model, text, _ = pair
    width = model.encoder.pooled_width
    usual_BC = model([text, text])
    model.head.weight[:, 2 * width : 3 * width] += 5.0
    assert torch.equal(model([text, text]), usual_BC)
