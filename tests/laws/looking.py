"""What holds for the weights in a trace, whatever the model: they are weights, and they mixed the values."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from heed.layers.attention import Attend
from heed.layers.trace import Trace

Same = Callable[[Tensor, Tensor], None]


def check_weights(site: str, weights_BHTS: Tensor, may_attend: Tensor, same: Same) -> None:
    """Assert that each query's weights sum to one over the keys that it may look at, and are zero elsewhere."""
    batch, _, queries, keys = may_attend.shape
    assert weights_BHTS.shape == (batch, weights_BHTS.shape[1], queries, keys), site
    same(weights_BHTS.sum(dim=-1), torch.ones_like(weights_BHTS[..., 0]))
    assert (weights_BHTS.masked_select(~may_attend) == 0).all(), site
    assert (weights_BHTS.masked_select(may_attend) > 0).all(), site


def compare_mixtures(model: nn.Module, same: Same) -> list[str]:
    """Compare each mixture of a traced call to come with that of the weights in the trace; return the sites then seen.

    The fused kernel does not tell its weights: those beside it must give the same mixture.
    """
    sites: list[str] = []

    def compare(attend: Attend, inputs: tuple[object, ...], mixed_BHTK: Tensor) -> None:
        v_BHSK, trace = inputs[2], inputs[4]
        assert isinstance(v_BHSK, Tensor)
        assert isinstance(trace, Trace)
        same(trace.weights[attend.site] @ v_BHSK, mixed_BHTK)
        sites.append(attend.site)

    for module in model.modules():
        if isinstance(module, Attend):
            module.register_forward_hook(compare)
    return sites
