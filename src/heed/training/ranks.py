"""More than one process on one run: each rank takes its share of every batch, and their gradients are added up.

Started by `torchrun`; alone, every function here does nothing and costs nothing.

One sum over all gradients, not DistributedDataParallel: it gives the sum that we want and not a mean, a rank without
rows of its own simply has none to add, and on a CPU there is no other work that the exchange could hide behind. With
the wrapper, now and then a process also hung for ever when it was taken down.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch

# Not used, but first: its functions hold, as a default argument, the group that there is when it is imported. The first
# step of an optimizer imports it; a group that is held so long keeps its threads after its end, and now and then one of
# them kills the process as it leaves.
import torch.distributed.nn.functional
from torch import distributed, nn

from heed.layers.over_ranks import shared_batch
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


@contextmanager
def batch_over_ranks(ranks: Ranks, counts: bool) -> Iterator[None]:
    """Let batch norm see the batch of all ranks during a forward pass; one without rows of its own does not count."""
    if ranks.world_size == 1:
        yield
        return
    with shared_batch(distributed.all_reduce, counts):
        yield


def from_first_rank(values: Sequence[float], ranks: Ranks) -> list[float]:
    """Return rank 0's values on every rank: clocks and scores differ, decisions must not."""
    if ranks.world_size == 1:
        return list(values)
    tensor = torch.tensor(values, dtype=torch.float64)
    distributed.broadcast(tensor, src=0)
    return tensor.tolist()


def sum_gradients(model: nn.Module, ranks: Ranks) -> None:
    """Give every rank the sum of all ranks' gradients; a parameter that got none counts as zero."""
    if ranks.world_size == 1:
        return
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    flat = torch.cat([_gradient(parameter).flatten() for parameter in parameters])
    distributed.all_reduce(flat)
    sizes = [parameter.numel() for parameter in parameters]
    for parameter, summed in zip(parameters, torch.split(flat, sizes), strict=True):
        parameter.grad = summed.view_as(parameter).clone()


def weights_of_first_rank(model: nn.Module, ranks: Ranks) -> None:
    """Give every rank the first rank's weights: drawn from one seed, but perhaps on another kind of processor."""
    if ranks.world_size > 1:
        for parameter in model.parameters():
            distributed.broadcast(parameter.data, src=0)


def _gradient(parameter: nn.Parameter) -> torch.Tensor:
    return torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
