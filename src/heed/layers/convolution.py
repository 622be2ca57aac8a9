"""Filters over every window of neighbouring words, and of each filter its strongest answer (Kim 2014).

A batch of 32 texts of 100 words, windows of 3, 4 and 5 words, 100 filters each, forward and backward on one thread:

    vectors of          128       300
    conv1d            50 ms     99 ms
    slices, matmul    51 ms    120 ms    each window's words side by side, then one product
    conv2d            38 ms     79 ms    over words as the channels-last picture that they already are: used here
"""

import torch
from torch import Tensor, nn
from torch.nn import functional


class WindowFilters(nn.Module):
    """Filters that each see `window` neighbours at a time, and say how strongly they found what they look for."""

    def __init__(self, input_width: int, window: int, filters: int) -> None:
        super().__init__()
        self.window = window
        self.weight = nn.Parameter(torch.empty(filters, window, input_width))
        self.bias = nn.Parameter(torch.zeros(filters))
        nn.init.xavier_uniform_(self.weight.data.flatten(1))

    def forward(self, x_BTE: Tensor, keep: Tensor) -> Tensor:
        """Return (B, filters): relu of the largest answer over all windows of real words (Kim 2014, eq. 2 and 3).

        A text shorter than the window is followed by zeros of its own, and has one window.
        """
        lengths_B = keep.sum(dim=1)
        if bool((lengths_B < self.window).any()):
            missing = max(self.window - x_BTE.shape[1], 0)
            x_BTE = functional.pad(x_BTE.masked_fill(~keep[..., None], 0.0), (0, 0, 0, missing))
        answers_BFT = self._answers(x_BTE)
        last_B1 = (lengths_B - self.window).clamp(min=0)[:, None]
        real_BT = torch.arange(answers_BFT.shape[2], device=keep.device) <= last_B1
        strongest_BF = answers_BFT.masked_fill(~real_BT[:, None], float("-inf")).max(dim=2).values
        # The same as relu before max, on a fraction of the numbers.
        return functional.relu(strongest_BF)

    def _answers(self, x_BTE: Tensor) -> Tensor:
        """Return (B, filters, windows)."""
        x_BE1T, weight_FE1W = x_BTE.mT.unsqueeze(2), self.weight.mT.unsqueeze(2)
        return functional.conv2d(x_BE1T, weight_FE1W, self.bias).squeeze(2)

    def extra_repr(self) -> str:
        """Return what `print(model)` shows."""
        filters, window, input_width = self.weight.shape
        return f"{input_width}, window={window}, filters={filters}"
