"""Rounding to 16-bit floats: nearest, matrices only, and never to infinity."""

import torch

from heed.layers.half import is_half, rounded_to_half


def test_a_matrix_is_rounded_to_the_nearest_and_then_known_as_half() -> None:
    # Between 1 and 2 the 16-bit floats stand 2 ** -10 apart.
    matrix = torch.tensor([[1 + 0.4 * 2**-10, 1 + 0.6 * 2**-10], [0.0, -2.0]])
    assert not is_half(matrix)
    rounded = rounded_to_half(matrix)
    assert rounded.dtype == torch.float32
    assert rounded.tolist() == [[1.0, 1 + 2**-10], [0.0, -2.0]]
    assert is_half(rounded)


def test_vectors_whole_numbers_and_what_would_overflow_stay_as_they_are() -> None:
    for tensor in (torch.tensor([1.0001]), torch.ones(2, 2, dtype=torch.long), torch.tensor([[70000.0, 1.0001]])):
        assert rounded_to_half(tensor) is tensor
        assert not is_half(tensor)


def test_what_is_no_number_is_not_half() -> None:
    assert not is_half(torch.tensor([[float("nan")]]))
