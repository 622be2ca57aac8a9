"""Our dropout beside torch's: forward and backward of one activation, best of many, in one process.

python benchmarks/dropout.py
"""

import time
from collections.abc import Callable

import torch

from heed.layers.dropout import Dropout

ROWS, WIDTH, SHARE, TRIES = 2048, 1024, 0.1, 50


def main() -> None:
    """Print milliseconds and the ratio for one thread and for all."""
    for threads in sorted({1, torch.get_num_threads()}):
        torch.set_num_threads(threads)
        theirs, ours = _milliseconds(torch.nn.Dropout(SHARE)), _milliseconds(Dropout(SHARE))
        print(f"{threads} threads: torch {theirs:.2f} ms, heed {ours:.2f} ms, {theirs / ours:.1f}x")


def _milliseconds(dropout: Callable[[torch.Tensor], torch.Tensor]) -> float:
    x = torch.randn(ROWS, WIDTH, requires_grad=True)
    gradient = torch.ones_like(x)
    taken = []
    for _ in range(TRIES):
        began = time.perf_counter()
        dropout(x).backward(gradient)
        taken.append(time.perf_counter() - began)
    return 1000 * min(taken)


if __name__ == "__main__":
    main()
