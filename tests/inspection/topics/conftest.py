"""What tests of worked examples share: the table of a heading, and its numbers."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from heed.inspection.shown import Shown, Table


@pytest.fixture
def table() -> Callable[[Shown, str], Table]:
    """Return what finds the only table whose heading begins so."""

    def find(shown: Shown, heading: str) -> Table:
        [found] = [part for part in shown.parts if isinstance(part, Table) and part.heading.startswith(heading)]
        return found

    return find


@pytest.fixture
def numbers(table: Callable[[Shown, str], Table]) -> Callable[[Shown, str], Tensor]:
    """Return what gives the numbers of such a table."""
    return lambda shown, heading: torch.tensor(table(shown, heading).cells, dtype=torch.float64)
