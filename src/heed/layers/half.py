"""16-bit floats: the nearest ones of a matrix, and whether a matrix holds no others.

Only matrices are asked about: vectors are few, and a norm's or a bias's last bits cost nothing.
"""

from torch import Tensor


def rounded_to_half(tensor: Tensor) -> Tensor:
    """Return a matrix with each number the nearest 16-bit float; anything else, and what would overflow, as it is."""
    if not tensor.is_floating_point() or tensor.dim() < 2:
        return tensor
    rounded = tensor.half().to(tensor.dtype)
    return rounded if bool(rounded.isfinite().all()) else tensor


def is_half(tensor: Tensor) -> bool:
    """Tell whether this is a matrix in which every number is a 16-bit float."""
    return tensor.is_floating_point() and tensor.dim() >= 2 and tensor.equal(tensor.half().to(tensor.dtype))
