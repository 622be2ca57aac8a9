"""`shake`: weights as they are after training, none of them at zero or one."""

import torch
from torch import nn


@torch.no_grad()
def shake(model: nn.Module) -> None:
    """Move every weight, and what a norm has counted, by a random number; a mistake could hide behind a zero."""
    for parameter in model.parameters():
        parameter.add_(0.3 * torch.randn_like(parameter))
    for name, buffer in model.named_buffers():
        if name.endswith(("norm.mean", "norm.variance")):
            buffer.add_(torch.rand_like(buffer))
