"""Our side of the training benchmarks: a prepared run, trained as `heed train` does, without validation."""

import time
from dataclasses import replace
from pathlib import Path

from rounds import Measured, measured

from heed.machine import Ranks
from heed.runs.beginning import resume
from heed.runs.folder import open_run
from heed.runs.run import TrainerRun
from heed.training.trainer import Trainer

WARM_UP = 4  # steps that are not timed
# Of both sides, `peer.py` gives the same to the other: neither may do what the other does not.
TRAINING: dict[str, object] = {
    "optimizer": "adamw",
    "precision": "float32",
    "learning_rate": 1e-3,
    "weight_decay": 0.01,
    "clip": 1.0,
    "label_smoothing": 0.0,
    "accumulate": 1,
    "average": 0.0,  # the peer keeps no moving average of its weights
}


def prepared_run(folder: Path) -> TrainerRun:
    """Return the run that the benchmark has prepared."""
    run = resume(open_run(folder / "run"), Ranks())
    assert isinstance(run, TrainerRun)
    return run


def examples_a_step(run: TrainerRun) -> int:
    """Return how many examples our batches hold on average: so many are a batch of the peer's."""
    training = run.settings.training
    batches = run.task.order(training.seed, 0, training.tokens_per_batch, training.window)
    return round(sum(map(len, batches)) / len(batches))


def train_ours(folder: Path, steps: int) -> Measured:
    """Return the speed in real tokens a second."""
    run = prepared_run(folder)
    # So many steps and one validation that lies far behind them: only training is timed.
    settings = replace(run.settings.training, minutes=None, epochs=None, steps=10**6, validations=1)
    trainer = Trainer(run.task, settings, Ranks())
    del run  # it has a trainer of its own
    tokens, began = 0, 0.0
    for number, report in enumerate(trainer.run(), start=1):
        tokens += report.tokens
        if number == WARM_UP:
            tokens, began = 0, time.perf_counter()
        if number == WARM_UP + steps:
            break
    return measured(tokens / (time.perf_counter() - began))
