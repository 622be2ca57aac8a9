"""Attention rollout (Abnar and Zuidema 2020, section 3.1): what of the input is still in a position after all layers.

Each layer gives a position half of what it looked at, by the mean of its heads, and half of itself, which is what the
residual passes on. The layers are multiplied. It follows attention alone: what values and feed-forward parts do with
what is looked at, it does not see.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

import torch
from torch import Tensor

from heed.layers.pooling import AttentionPooling, FirstPooling, LastPooling, MaxPooling, MeanPooling, Pooling
from heed.layers.trace import Trace


@dataclass(frozen=True, eq=False)
class TwoRollouts:
    """What is in each position of a decoder: each row of both together sums to one."""

    source_TS: Tensor
    target_TT: Tensor


def rolled_out(layers: Sequence[Tensor]) -> Tensor:
    """Return (T, T) from the weights (H, T, T) of each layer, the first layer first; each row sums to one."""
    rolled_TT = torch.eye(layers[0].shape[-1])
    for weights_HTT in layers:
        rolled_TT = with_itself(weights_HTT) @ rolled_TT
    return rolled_TT


def rolled_out_twice(source_SS: Tensor, self_layers: Sequence[Tensor], cross_layers: Sequence[Tensor]) -> TwoRollouts:
    """Return the rollout of a decoder that looks at itself and, in each layer, at what the encoder's positions hold."""
    target_TT = torch.eye(self_layers[0].shape[-1])
    source_TS = torch.zeros(len(target_TT), source_SS.shape[-1])
    for self_HTT, cross_HTS in zip(self_layers, cross_layers, strict=True):
        mixed_TT = with_itself(self_HTT)
        target_TT, source_TS = mixed_TT @ target_TT, mixed_TT @ source_TS
        target_TT, source_TS = target_TT / 2, (source_TS + cross_HTS.mean(dim=0) @ source_SS) / 2
    return TwoRollouts(source_TS, target_TT)


def with_itself(weights_HTT: Tensor) -> Tensor:
    """Return (T, T): half of each row is what it looked at, half the position itself."""
    mixed_TT = weights_HTT.mean(dim=0) + torch.eye(weights_HTT.shape[-1])
    return mixed_TT / mixed_TT.sum(dim=-1, keepdim=True)


def layers_in(trace: Trace, sites: Sequence[str], ending: str) -> list[Tensor] | None:
    """Return the weights of the sites that end so; None if there is none, or if the trace did not ask for all."""
    wanted = [site for site in sites if site.endswith(ending)]
    if not wanted or any(site not in trace.weights for site in wanted):
        return None
    return [trace.weights[site][0] for site in wanted]


def pooled_row(rolled_TT: Tensor, pooling: Pooling, pool_1T: Tensor | None) -> Tensor:
    """Return (T,): what of the input is in the one vector that is made of all positions."""
    match pooling:
        case FirstPooling():
            return rolled_TT[0]
        case AttentionPooling() if pool_1T is not None:
            return pool_1T[0] @ rolled_TT
        case MeanPooling() | MaxPooling() | LastPooling() | AttentionPooling():
            # The largest of all positions comes from each of them, number by number: their mean stands for it.
            return rolled_TT.mean(dim=0)
        case _:
            assert_never(pooling)
