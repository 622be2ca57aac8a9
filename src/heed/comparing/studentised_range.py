"""Tukey's studentised range: how far apart the largest and the smallest of so many equal means lie by chance.

`scipy.stats` has it too, but takes a second for a quantile; here all quantiles are interpolated on one curve.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import special  # type: ignore[import-untyped]

# Nodes and weights of the two integrals, over a normal variable and over the shares of a chi-square one.
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(120)
_REACH = 8.5  # standard deviations beyond which a normal variable has no weight worth counting
_SHARES, _SHARE_WEIGHTS = (_NODES + 1) / 2, _WEIGHTS / 2
_RANGES = np.concatenate([[0.0], np.geomspace(0.01, 3000, 500)])


@dataclass(frozen=True)
class StudentisedRange:
    """How likely the range of some means is to exceed each of _RANGES, from 1 down to almost 0."""

    chances: np.ndarray

    def quantile(self, chance: np.ndarray) -> np.ndarray:
        """Return what the range exceeds with the given chance."""
        return np.interp(-chance, -self.chances, _RANGES)


@lru_cache(maxsize=64)
def studentised_range(means: int, degrees: int) -> StudentisedRange:
    """Return the range of so many means over a standard deviation that has so many degrees of freedom."""
    seen_s = np.sqrt(special.gammaincinv(degrees / 2, _SHARES) * 2 / degrees)
    known_rs = np.interp(_RANGES[:, None] * seen_s, _RANGES, _known(means))
    # Chances fall strictly, so that each has one quantile.
    return StudentisedRange(np.minimum.accumulate(known_rs @ _SHARE_WEIGHTS) - 1e-15 * np.arange(len(_RANGES)))


def _known(means: int) -> np.ndarray:
    """Return the chance of each of _RANGES where the standard deviation is known to be 1."""
    deviate_z = _NODES * _REACH
    density_z = _WEIGHTS * _REACH * np.exp(-(deviate_z**2) / 2) / np.sqrt(2 * np.pi)
    within_rz = special.ndtr(deviate_z) - special.ndtr(deviate_z - _RANGES[:, None])
    return 1 - means * (within_rz ** (means - 1) @ density_z)
