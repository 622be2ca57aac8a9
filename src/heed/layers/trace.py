"""`Trace`: collects attention weights while a model runs, without changing what the model computes.

Every attention has a site name such as `decoder.3.cross`, given when it is made. A model called with `trace=None` runs
the fused kernel alone; with a trace, the weights of the asked sites are computed beside it.
"""

from fnmatch import fnmatchcase

from torch import Tensor, nn


class Trace:
    """What was seen at each asked site: `weights["encoder.0.self"]` is (B, H, T, S)."""

    def __init__(self, *patterns: str) -> None:
        """Ask for the sites that match any of the patterns (`decoder.*.cross`); with none, for all."""
        self.patterns = patterns or ("*",)
        self.weights: dict[str, Tensor] = {}

    def wants(self, site: str) -> bool:
        """Tell whether this site was asked for."""
        return any(fnmatchcase(site, pattern) for pattern in self.patterns)

    def record(self, site: str, weights_BHTS: Tensor) -> None:
        """Keep the weights of one site; they are detached, so looking never holds a graph in memory."""
        self.weights[site] = weights_BHTS.detach()


def sites_of(model: nn.Module) -> list[str]:
    """Return the names of all attention sites inside a model, in the order in which they were made."""
    return [site for module in model.modules() if isinstance(site := getattr(module, "site", None), str)]
