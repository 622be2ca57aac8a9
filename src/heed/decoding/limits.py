"""`Limits`: where sequences begin and end, which ids they may not hold, and how long they may become."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from heed.errors import UsageError


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The rules that every search of a batch obeys."""

    start: int  # fed to the model before the first token; not part of a hypothesis
    end: int  # a hypothesis that takes this id is complete
    longest: Sequence[int]  # per source: most tokens, the end id counted; per source so that companions do not matter
    forbidden: Sequence[int] = ()  # never generated (padding, start); their probability is not given to the others
    device: torch.device = field(default_factory=lambda: torch.device("cpu"))  # where the model's logits are

    def __post_init__(self) -> None:
        too_short = [length for length in self.longest if length < 1]
        if too_short:
            raise UsageError(f"A length limit is {too_short[0]}. Give every source a limit of at least 1 token.")
        if self.end in self.forbidden:
            raise UsageError(f"The end id {self.end} is forbidden too. Take it out of the forbidden ids.")

    def forbidden_ids(self) -> Tensor:
        """Return the forbidden ids as a tensor, ready to index with."""
        return torch.tensor(sorted(set(self.forbidden)), dtype=torch.long, device=self.device)

    def start_ids(self) -> Tensor:
        """Return the start id once for every source: what the first step is given."""
        return torch.full((len(self.longest), 1), self.start, dtype=torch.long, device=self.device)
