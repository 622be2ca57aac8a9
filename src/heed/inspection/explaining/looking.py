"""From a trace to what is shown of it: the weights of each attention that was asked for, with names on both sides."""

from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase

import numpy
from torch import Tensor

from heed.errors import UsageError
from heed.inspection.explanation import Looked, Numbers
from heed.layers.trace import Trace

Sides = Callable[[str], tuple[str, str]]  # of a site, the axes that look and are looked at


def trace_of(patterns: Sequence[str], sites: Sequence[str]) -> Trace:
    """Return a trace that asks for the sites that match; refuse a pattern that matches none."""
    for pattern in patterns:
        if not any(fnmatchcase(site, pattern) for site in sites):
            there = f"It has: {', '.join(sites)}." if sites else "It has none at all: leave the site out."
            raise UsageError(f"There is no attention {pattern[:100]!r} in this model. {there}")
    return Trace(*patterns)


def looked_at(trace: Trace, sites: Sequence[str], sides: Sides) -> tuple[Looked, ...]:
    """Return what the first row of a batch looked at, in the order of the sites."""
    return tuple(
        Looked(site, *sides(site), numbers_of(trace.weights[site][0])) for site in sites if site in trace.weights
    )


def numbers_of(values: Tensor) -> Numbers:
    """Return the values as plain numbers that no graph holds on to."""
    return values.detach().float().numpy().astype(numpy.float32)
