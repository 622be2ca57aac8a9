"""A training step of a small Transformer in float32, under `torch.autocast`, and with a bfloat16 copy, in one process.

    python benchmarks/precision.py

The three take turns, so that a busy neighbour disturbs all alike; the ratio of medians is what counts.
"""

import argparse
import statistics
import time
from collections.abc import Callable

import torch
from torch import nn

from heed.models.transformer import Transformer, TransformerSettings
from heed.tasks.translate import TranslationBatch, TranslationObjective
from heed.training.optimizer import build_optimizers, move
from heed.training.precision import InBfloat16, InFloat32
from heed.training.settings import TrainingSettings

SHAPES = ((192, 64), (192, 128), (256, 128), (512, 128))  # width, sentences
PIECES, SOURCE, TARGET, ROUNDS = 5000, 15, 17, 12


def main() -> None:
    """Print a line for each size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    torch.set_num_threads(parser.parse_args().threads)
    print(f"{'width':>5s} {'sentences':>9s} {'float32 ms':>10s} {'autocast':>9s} {'copy':>6s}   speed against float32")
    for width, sentences in SHAPES:
        print_line(width, sentences)


def print_line(width: int, sentences: int) -> None:
    """Time the three ways in turn."""
    batch = made_up(sentences)
    ways = [steps_in_float32(width, batch), steps_under_autocast(width, batch), steps_with_copy(width, batch)]
    seconds: list[list[float]] = [[], [], []]
    for _ in range(ROUNDS):
        for way, found in zip(ways, seconds, strict=True):
            began = time.perf_counter()
            way()
            found.append(time.perf_counter() - began)
    plain, auto, copied = (statistics.median(found[2:]) for found in seconds)
    print(f"{width:5d} {sentences:9d} {plain * 1e3:10.1f} {plain / auto:8.2f}x {plain / copied:5.2f}x")


def made_up(sentences: int) -> TranslationBatch:
    """Return a batch of random ids."""
    draw = torch.Generator().manual_seed(1)
    ids = [torch.randint(4, PIECES, (sentences, length), generator=draw) for length in (SOURCE, TARGET, TARGET)]
    keeps = [torch.ones(sentences, length, dtype=torch.bool) for length in (SOURCE, TARGET)]
    return TranslationBatch(ids[0], keeps[0], ids[1], keeps[1], ids[2])


def fresh(width: int) -> TranslationObjective:
    """Return a model with its loss."""
    torch.manual_seed(1)
    settings = TransformerSettings(
        width=width, heads=4, encoder_layers=3, decoder_layers=3, feedforward=2 * width, dropout=0.2
    )
    return TranslationObjective(Transformer(settings, PIECES, PIECES), 0.1)


def steps_in_float32(width: int, batch: TranslationBatch) -> Callable[[], None]:
    """Return a step in float32."""
    objective = fresh(width)
    return stepping(objective, InFloat32(objective), batch)


def steps_with_copy(width: int, batch: TranslationBatch) -> Callable[[], None]:
    """Return a step with a bfloat16 copy."""
    objective = fresh(width)
    return stepping(objective, InBfloat16(objective), batch)


def steps_under_autocast(width: int, batch: TranslationBatch) -> Callable[[], None]:
    """Return a step under autocast."""
    objective = fresh(width)
    step = stepping(objective, InFloat32(objective), batch)

    def cast() -> None:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            step()

    return cast


def stepping(objective: nn.Module, computing: InFloat32 | InBfloat16, batch: TranslationBatch) -> Callable[[], None]:
    """Return one optimizer step as the trainer takes it."""
    optimizers = build_optimizers(objective, TrainingSettings())

    def step() -> None:
        (computing.objective(batch) / batch.targets).backward()
        computing.collect()
        nn.utils.clip_grad_norm_(objective.parameters(), 1.0)
        move(optimizers, rate=1e-3)
        computing.refresh()

    return step


if __name__ == "__main__":
    main()
