"""A product of few rows: torch's own, weights on the left, and weights packed; medians of many, in one process.

python benchmarks/linear.py
"""

import statistics
import time
from collections.abc import Callable
from typing import TypeVar

import torch

from heed.layers.linear import weights_first
from heed.layers.packed import PackedLinear

Weights = TypeVar("Weights")

SHAPES = ((256, 256), (1024, 256), (256, 1024), (8000, 256))  # outputs and inputs of a 256-wide model's layers
BEYOND_CACHE = 20_000_000  # bytes of weights in turn: one decoding step reads each weight once


@torch.inference_mode()
def main() -> None:
    """Print torch's microseconds and how many times as fast the two others are, with one thread and with all."""
    for threads in sorted({1, torch.get_num_threads()}):
        torch.set_num_threads(threads)
        for rows in (1, 2, 4, 8, 16):
            print(f"{threads} threads, {rows:2d} rows: " + "  ".join(_compare(rows, *shape) for shape in SHAPES))


def _compare(rows: int, outputs: int, inputs: int) -> str:
    weights = [torch.randn(outputs, inputs) for _ in range(max(1, BEYOND_CACHE // (4 * outputs * inputs)))]
    bias, x = torch.randn(outputs), torch.randn(rows, inputs)
    theirs = _median(weights, lambda weight: torch.nn.functional.linear(x, weight, bias))
    left = _median(weights, lambda weight: weights_first(x, weight, bias))
    layers = [PackedLinear(_layer(weight, bias)) for weight in weights]
    packed = _median(layers, lambda layer: layer(x))
    return f"{outputs}x{inputs} {theirs:.0f} us, {theirs / left:.2f}x, {theirs / packed:.2f}x"


def _layer(weight: torch.Tensor, bias: torch.Tensor) -> torch.nn.Linear:
    layer = torch.nn.Linear(weight.shape[1], weight.shape[0])
    layer.weight, layer.bias = torch.nn.Parameter(weight), torch.nn.Parameter(bias)
    return layer


def _median(weights: list[Weights], product: Callable[[Weights], torch.Tensor]) -> float:
    taken = []
    for number in range(60):
        began = time.perf_counter()
        product(weights[number % len(weights)])
        taken.append(time.perf_counter() - began)
    return 1e6 * statistics.median(taken)


if __name__ == "__main__":
    main()
