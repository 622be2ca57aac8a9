"""A product of few rows: torch's own, and with weights packed in each of the two ways; medians, in one process.

python benchmarks/linear.py
"""

import statistics
import time
from collections.abc import Callable
from typing import TypeVar

import torch

from heed.layers.half import rounded_to_half
from heed.layers.packed import NarrowProduct, WideProduct

Weights = TypeVar("Weights")

SHAPES = ((256, 256), (1024, 256), (256, 1024), (8000, 256))  # outputs and inputs of a 256-wide model's layers
BEYOND_CACHE = 20_000_000  # bytes of weights in turn: one decoding step reads each weight once


@torch.inference_mode()
def main() -> None:
    """Print torch's microseconds and how many times as fast narrow and wide weights are, with one thread and all."""
    for threads in sorted({1, torch.get_num_threads()}):
        torch.set_num_threads(threads)
        for rows in (1, 4, 16, 64, 256):
            print(f"{threads} threads, {rows:2d} rows: " + "  ".join(_compare(rows, *shape) for shape in SHAPES))


def _compare(rows: int, outputs: int, inputs: int) -> str:
    count = max(1, BEYOND_CACHE // (4 * outputs * inputs))
    weights = [rounded_to_half(torch.randn(outputs, inputs)) for _ in range(count)]
    bias, x = torch.randn(outputs), torch.randn(rows, inputs)
    theirs = _median(weights, lambda weight: torch.nn.functional.linear(x, weight, bias))
    layers = [_layer(weight, bias) for weight in weights]
    narrow = _median([NarrowProduct(layer) for layer in layers], lambda product: product(x))
    wide = _median([WideProduct(layer) for layer in layers], lambda product: product(x))
    return f"{outputs}x{inputs} {theirs:.0f} us, {theirs / narrow:.2f}x, {theirs / wide:.2f}x"


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
