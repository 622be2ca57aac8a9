"""Length normalisation: how sequences of different lengths are compared, and the best score one can still reach.

A sequence of n tokens (the end id counted) with summed log probability s scores s / penalty(n):

    none   penalty(n) = 1                            the log probability itself; favours short sequences
    mean   penalty(n) = n                            the log of the n-th root of the product of the probabilities
    gnmt   penalty(n) = ((5 + n) / (5 + 1)) ** alpha   Wu et al. 2016, eq. 14; alpha = 0 is "none"

The bound. A sequence that is not finished can only take on more log probabilities, which are at most 0, and end with at
most `longest` tokens. No penalty falls as n grows. So s / penalty(longest) is the most that it can ever score. This
holds in floating point too, because rounded addition and division keep the order of their operands; that is what makes
stopping at the bound exact rather than approximate.
"""

from typing import Literal, assert_never

Normalisation = Literal["none", "mean", "gnmt"]


def penalty(normalisation: Normalisation, alpha: float, length: int) -> float:
    """Return what the summed log probability of `length` tokens is divided by."""
    match normalisation:
        case "none":
            return 1.0
        case "mean":
            return float(length)
        case "gnmt":
            return float(((5 + length) / (5 + 1)) ** alpha)
        case _:
            assert_never(normalisation)
