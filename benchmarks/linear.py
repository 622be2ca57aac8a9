"""Products: torch's own beside ours, medians, in one process.

    python benchmarks/linear.py

Few rows, as in decoding, with weights packed in each of the two ways; many rows with their gradients, as in training,
by oneDNN.
"""

import statistics
import time
from collections.abc import Callable
from typing import TypeVar

import torch

from heed.layers.half import rounded_to_half
from heed.layers.onednn_linear import OneDnnProduct
from heed.layers.packed import NarrowProduct, WideProduct
from heed.machine import gains_by_onednn
from heed.training.memory import memory_kept

Weights = TypeVar("Weights")

SHAPES = ((256, 256), (1024, 256), (256, 1024), (8000, 256))  # outputs and inputs of a 256-wide model's layers
BEYOND_CACHE = 20_000_000  # bytes of weights in turn: one decoding step reads each weight once


def main() -> None:
    """Print torch's microseconds and how many times as fast each other way is, with one thread and all."""
    for threads in sorted({1, torch.get_num_threads()}):
        torch.set_num_threads(threads)
        print(f"{threads} threads, prediction: torch, narrow, wide")
        for rows in (1, 4, 16, 64, 256):
            print(f"{rows:6d} rows: " + "  ".join(_predict(rows, *shape) for shape in SHAPES))
        print(f"{threads} threads, training: torch, oneDNN, {'taken' if gains_by_onednn() else 'not taken'} here")
        with memory_kept():
            for rows in (64, 512, 2048, 8192):
                print(f"{rows:6d} rows: " + "  ".join(_train(rows, *shape) for shape in SHAPES[:-1]))


def _train(rows: int, outputs: int, inputs: int) -> str:
    x, weight = torch.randn(rows, inputs, requires_grad=True), torch.randn(outputs, inputs, requires_grad=True)
    bias, slope = torch.randn(outputs, requires_grad=True), torch.randn(rows, outputs)

    def step(product: Callable[..., torch.Tensor]) -> torch.Tensor:
        product(x, weight, bias).backward(slope)
        return slope

    theirs, ours = _median([torch.nn.functional.linear], step), _median([OneDnnProduct.apply], step)
    return f"{outputs}x{inputs} {theirs:.0f} us, {theirs / ours:.2f}x"


@torch.inference_mode()
def _predict(rows: int, outputs: int, inputs: int) -> str:
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
