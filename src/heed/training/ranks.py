"""More than one process on one run: each rank takes its share of every batch, and gradients are averaged by torch.

Started by `torchrun`; alone, every function here does nothing and costs nothing.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext

import torch
from torch import distributed, nn
from torch.nn.parallel import DistributedDataParallel

from heed.machine import Ranks


@contextmanager
def joined(ranks: Ranks) -> Iterator[None]:
    """Join the other ranks for the length of a `with`: gloo on the CPU."""
    if ranks.world_size == 1:
        yield
        return
    distributed.init_process_group("gloo", rank=ranks.rank, world_size=ranks.world_size)
    try:
        yield
    finally:
        distributed.destroy_process_group()


def shared_objective(objective: nn.Module, ranks: Ranks) -> nn.Module:
    """Return the objective, wrapped so that gradients are averaged over ranks."""
    return objective if ranks.world_size == 1 else DistributedDataParallel(objective)


def unshared_gradients(objective: nn.Module) -> AbstractContextManager[None]:
    """Keep gradients on this rank for the length of a `with`: only the last batch of a step waits for others."""
    return objective.no_sync() if isinstance(objective, DistributedDataParallel) else nullcontext()


def share_of(rows: Sequence[int], ranks: Ranks) -> Sequence[int]:
    """Return this rank's rows of a batch; neighbours in length go to different ranks, so that none waits for long."""
    return rows[ranks.rank :: ranks.world_size]


def sum_over_ranks(values: Sequence[float], ranks: Ranks) -> list[float]:
    """Return each value summed over all ranks."""
    if ranks.world_size == 1:
        return list(values)
    tensor = torch.tensor(values, dtype=torch.float64)
    distributed.all_reduce(tensor)
    return tensor.tolist()


def from_first_rank(values: Sequence[float], ranks: Ranks) -> list[float]:
    """Return rank 0's values on every rank: clocks and scores differ, decisions must not."""
    if ranks.world_size == 1:
        return list(values)
    tensor = torch.tensor(values, dtype=torch.float64)
    distributed.broadcast(tensor, src=0)
    return tensor.tolist()
