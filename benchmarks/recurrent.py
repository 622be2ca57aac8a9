"""A recurrent encoder beside torch's packed sequences: forward and back over padded texts; the best of several.

python benchmarks/recurrent.py
"""

import time
from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from heed.layers.masks import keep_from_lengths
from heed.layers.recurrent import CellName, RecurrentEncoder

CELLS: tuple[CellName, ...] = ("rnn", "gru", "lstm")
SIZES = ((32, 200, 256), (128, 128, 128))  # texts, width of a word, width of the states of both directions
LONGEST = 128


def main() -> None:
    """Print the tokens a second of each way, and how they compare."""
    torch.manual_seed(0)
    for cell in CELLS:
        for size in SIZES:
            print(_compare(cell, *size))


def _compare(cell: CellName, texts: int, embedding: int, width: int) -> str:
    encoder = RecurrentEncoder(cell, embedding, width, layers=1, dropout=0.0, bidirectional=True)
    lengths_B = torch.randint(LONGEST * 9 // 10, LONGEST + 1, (texts,))  # batches hold texts of like length
    x_BTE, keep = torch.randn(texts, LONGEST, embedding), keep_from_lengths(lengths_B, LONGEST)
    ours = int(lengths_B.sum()) / _seconds(lambda: encoder.memory(x_BTE, keep))
    packed = int(lengths_B.sum()) / _seconds(lambda: _packed(encoder, x_BTE, lengths_B))
    said = f"{ours:7.0f} tokens a second, packed {packed:7.0f}, {ours / packed:.2f}x"
    return f"{cell:4s} {texts:3d} texts, {embedding} to {width} wide: {said}"


def _packed(encoder: RecurrentEncoder, x_BTE: Tensor, lengths_B: Tensor) -> Tensor:
    packed = pack_padded_sequence(x_BTE, lengths_B, batch_first=True, enforce_sorted=False)
    outputs, _ = encoder.recurrence(packed)
    memory_BTD: Tensor = pad_packed_sequence(outputs, batch_first=True, total_length=LONGEST)[0]
    return memory_BTD


def _seconds(read: Callable[[], Tensor]) -> float:
    taken = []
    for _ in range(7):
        began = time.perf_counter()
        read().sum().backward()
        taken.append(time.perf_counter() - began)
    return min(taken)


if __name__ == "__main__":
    main()
