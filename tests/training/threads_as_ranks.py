"""Ranks as threads of one process: the trainer is the real one, only `torch.distributed` is played by these threads."""

import copy
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import pytest
import torch
from torch import Tensor

from heed.machine import Ranks
from heed.training.settings import TrainingSettings
from heed.training.trainer import TrainableTask, Trainer

Result = TypeVar("Result")


class Threads:
    """What `torch.distributed` offers to the ranks of a run."""

    def __init__(self, count: int) -> None:
        self.count = count
        # Ranks that wait for one that never comes are an error and no hanging test.
        self.barrier = threading.Barrier(count, timeout=20)
        self.own = threading.local()
        self.slots: list[Tensor] = [torch.empty(0)] * count

    def all_reduce(self, tensor: Tensor) -> None:
        """Leave every rank with the sum."""
        tensor.copy_(torch.stack(self._gathered(tensor)).sum(dim=0))

    def broadcast(self, tensor: Tensor, src: int) -> None:
        """Leave every rank with what one of them has."""
        tensor.copy_(self._gathered(tensor)[src])

    def run(self, work: Callable[[Ranks], Result]) -> list[Result]:
        """Return what each rank makes of its work, or raise the first error."""
        results: dict[int, Result] = {}
        errors: list[Exception] = []

        def one(rank: int) -> None:
            self.own.rank = rank
            try:
                results[rank] = work(Ranks(rank, self.count, rank))
            except Exception as error:  # noqa: BLE001  whatever it is, the other ranks must not wait
                errors.append(error)
                self.barrier.abort()

        threads = [threading.Thread(target=one, args=(rank,)) for rank in range(self.count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if errors:
            raise errors[0]
        return [results[rank] for rank in range(self.count)]

    def _gathered(self, tensor: Tensor) -> list[Tensor]:
        self.slots[self.own.rank] = tensor.detach().clone()
        self.barrier.wait()
        gathered = list(self.slots)
        self.barrier.wait()
        return gathered


@dataclass(frozen=True)
class Trained:
    """What some steps came to."""

    weights: dict[str, Tensor]  # running statistics with them
    losses: list[float]
    norms: list[float]


def trained(task: TrainableTask, settings: TrainingSettings, ranks: Ranks, steps: int) -> Trained:
    """Train a copy of the task for some steps."""
    trainer = Trainer(copy.deepcopy(task), settings, ranks)
    reports = []
    for report in trainer.run():
        reports.append(report)
        if report.step == steps:
            break
    return Trained(
        trainer.task.model.state_dict(),
        [report.loss for report in reports],
        [report.gradient_norm for report in reports],
    )


def trained_on(
    count: int, task: TrainableTask, settings: TrainingSettings, steps: int, monkeypatch: pytest.MonkeyPatch
) -> list[Trained]:
    """Train on so many ranks; return what each came to."""
    threads = Threads(count)
    monkeypatch.setattr("heed.training.ranks.distributed", threads)
    return threads.run(lambda ranks: trained(task, settings, ranks, steps))


def largest_difference(left: Trained, right: Trained) -> float:
    """Return by how much two weights of the same name differ at most."""
    assert left.weights.keys() == right.weights.keys()
    return max(float((left.weights[name] - right.weights[name]).abs().max()) for name in left.weights)
