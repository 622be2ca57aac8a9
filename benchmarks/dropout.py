"""Our dropout beside torch's: forward and backward of one activation, best of many, in one process.

python benchmarks/dropout.py
"""

import time

import torch

from heed.layers.drawing import Sites, drawing, example_keys
from heed.layers.dropout import Dropout

EXAMPLES, POSITIONS, WIDTH, SHARE, TRIES = 64, 32, 1024, 0.1, 50


def main() -> None:
    """Print milliseconds and the ratio for one thread and for all."""
    for threads in sorted({1, torch.get_num_threads()}):
        torch.set_num_threads(threads)
        theirs, ours = _milliseconds(torch.nn.Dropout(SHARE)), _milliseconds(Dropout(SHARE))
        print(f"{threads} threads: torch {theirs:.2f} ms, heed {ours:.2f} ms, {theirs / ours:.1f}x")


def _milliseconds(dropout: torch.nn.Module) -> float:
    x = torch.randn(EXAMPLES, POSITIONS, WIDTH, requires_grad=True)
    gradient, sites = torch.ones_like(x), Sites(dropout)
    taken = []
    for _ in range(TRIES):
        began = time.perf_counter()
        with drawing(sites, example_keys(1, 0, range(EXAMPLES))):  # as in training; torch's own takes no notice
            result = dropout(x)
        result.backward(gradient)
        taken.append(time.perf_counter() - began)
    return 1000 * min(taken)


if __name__ == "__main__":
    main()
