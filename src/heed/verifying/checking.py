"""`Check`: a name, what is compared in words, and the function that compares."""

from collections.abc import Callable
from dataclasses import dataclass

from heed.verifying.findings import Measured, NotChecked, Tolerance, Unfit
from heed.verifying.subject import Subject

Compare = Callable[[Subject], Measured | Unfit | NotChecked]

SAME_BITS = Tolerance(0.0, "the same computation must give the same bits")
IN_64_BITS = Tolerance(1e-9, "in 64 bits rounding stays below; a leak does not")


@dataclass(frozen=True)
class Check:
    """One law, and how it is tried on a run."""

    name: str
    compared: str
    compare: Compare
    needs: tuple[str, ...] = ()  # laws without which this one says nothing
