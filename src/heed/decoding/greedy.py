"""Greedy decoding: the most probable next token, until the end id or the length limit.

The same as beam search with one beam, and about what a reader expects of "the model's answer". Of equally probable
tokens the one with the lowest id is taken, which `torch.argmax` guarantees.
"""

from collections.abc import Sequence

from torch import Tensor

from heed.decoding.hypotheses import Hypothesis
from heed.decoding.limits import Limits
from heed.decoding.paths import follow
from heed.decoding.steps import State, StepModel


def greedy(model: StepModel[State], state: State, limits: Limits) -> list[Hypothesis]:
    """Return one hypothesis per source; its score is the mean log probability of its tokens."""
    return follow(model, state, limits, _most_probable)


def _most_probable(log_probs_B1V: Tensor, sources: Sequence[int], step: int) -> Tensor:
    return log_probs_B1V.argmax(dim=-1)
