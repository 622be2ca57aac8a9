"""Masks: True means yes, and a query that may look at nothing gets zeros."""

import torch

from heed.layers.masks import attend_to_past, attend_to_real, keep_from_lengths, masked_softmax


def test_keep_marks_the_first_tokens_of_each_row() -> None:
    assert keep_from_lengths(torch.tensor([2, 0, 3]), 3).tolist() == [
        [True, True, False],
        [False, False, False],
        [True, True, True],
    ]


def test_every_query_may_look_at_real_keys_only() -> None:
    keep = torch.tensor([[True, True], [True, False]])
    assert attend_to_real(keep).tolist() == [[[[True, True]]], [[[True, False]]]]


def test_there_is_no_mask_where_there_is_no_padding() -> None:
    assert attend_to_real(torch.ones(2, 3, dtype=torch.bool)) is None


def test_a_position_may_look_at_itself_and_the_past() -> None:
    assert attend_to_past(3).tolist() == [[[[True, False, False], [True, True, False], [True, True, True]]]]


def test_hidden_keys_weigh_nothing_however_high_their_score() -> None:
    weights_BHTS = masked_softmax(torch.tensor([[[[1.0, 1.0, 1e9]]]]), torch.tensor([True, True, False]))
    assert weights_BHTS.tolist() == [[[[0.5, 0.5, 0.0]]]]


def test_a_query_that_may_look_at_nothing_has_zero_weights_and_a_zero_gradient() -> None:
    scores_BHTS = torch.tensor([[[[1.0, 2.0], [3.0, 4.0]]]], requires_grad=True)
    weights_BHTS = masked_softmax(scores_BHTS, torch.tensor([[True, True], [False, False]]))
    assert weights_BHTS[0, 0, 1].tolist() == [0.0, 0.0]
    (weights_BHTS * torch.tensor([1.0, 5.0])).sum().backward()
    assert scores_BHTS.grad[0, 0, 1].tolist() == [0.0, 0.0]
    assert (scores_BHTS.grad[0, 0, 0] != 0).all()
