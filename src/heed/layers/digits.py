"""`with_digits`: numbers with digits enough to be summed."""

import torch
from torch import Tensor


def with_digits(numbers: Tensor) -> Tensor:
    """Return at least float32: a loss, or a sum over a sentence, needs more digits than bfloat16 has."""
    return numbers.to(torch.promote_types(numbers.dtype, torch.float32))
