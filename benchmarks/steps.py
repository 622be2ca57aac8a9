"""A training step of our own tasks as it is, by torch's products, with memory given back, and with both of these.

    python benchmarks/steps.py
    python benchmarks/steps.py --only vit-tiny --rounds 5

See `rounds.py` for how it is measured; speeds are steps a second, from the median step. The built-in data with its
defaults, and `vit-tiny` with 64 pictures at a time by AdamW. Products differ only where `machine.gains_by_onednn` says
that torch's own are slow.
"""

import contextlib
import statistics
import time
from pathlib import Path

import torch
from rounds import Contender, Measured, measured, options_parser, run_benchmark

from heed.runs.session import new_run
from heed.training import optimizer, trainer

WARMING = 5  # steps that are not timed
VIT_TINY = {"optimizer": "adamw", "tokens_per_batch": 64 * 66}  # 64 patches, [CLS], and one for the label
TASKS = ("vit-tiny", "image", "caption", "classify", "translate")
WAYS = {"heed": (True, True), "torch's products": (False, True), "memory back": (True, False), "both": (False, False)}


def main() -> None:
    """Run the benchmark."""
    contenders = {f"{task}, {way}": _contender(task, *parts) for task in TASKS for way, parts in WAYS.items()}
    run_benchmark(__file__, contenders, options_parser(__doc__, steps=40).parse_args(), lambda options, folder: None)


def _contender(task: str, own_products: bool, keeps_memory: bool) -> Contender:
    def train(folder: Path, steps: int) -> Measured:
        if not own_products:
            trainer.gains_by_onednn = optimizer.gains_by_onednn = lambda: False
        if not keeps_memory:
            trainer.memory_kept = contextlib.nullcontext
        return measured(1 / statistics.median(_seconds(task, folder, steps)))

    return train


def _seconds(task: str, folder: Path, steps: int) -> list[float]:
    training = {"steps": steps + WARMING, "validations": 1, "threads": torch.get_num_threads()}
    named, model = ("image", task) if task == "vit-tiny" else (task, None)
    settings = {"training": {**training, **(VIT_TINY if model else {})}}
    taken = []
    with new_run(named, [], model=model, settings=settings, out=folder / "run", force=True) as run:
        began = time.perf_counter()
        for _ in run.reports():
            now = time.perf_counter()
            taken.append(now - began)
            began = now
    return taken[WARMING:-1]  # the last one validates and saves


if __name__ == "__main__":
    main()
