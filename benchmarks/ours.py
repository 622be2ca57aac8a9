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


def prepared_run(folder: Path) -> TrainerRun:
    """Return the run that the benchmark has prepared."""
    run = resume(open_run(folder / "run"), Ranks())
    assert isinstance(run, TrainerRun)
    return run


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
