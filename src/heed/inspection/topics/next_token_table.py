"""A table of next tokens, as deck 3 has it, as a model that every search can step through."""

import math
from dataclasses import dataclass
from string import ascii_uppercase

import torch
from torch import Tensor

from heed.decoding.hypotheses import Hypothesis
from heed.decoding.limits import Limits
from heed.errors import DataError
from heed.inspection.given import Given, Matrix

# Deck 3: a row for each token, a column for each step.
DECK = ((0.5, 0.1, 0.2, 0.0), (0.2, 0.4, 0.2, 0.2), (0.2, 0.3, 0.4, 0.2), (0.1, 0.2, 0.2, 0.6))
END = "<eos>"
TOLERANCE = 0.005  # by which a column of rounded probabilities may miss 1


@dataclass(frozen=True, eq=False)
class TokenTable:
    """Probabilities (V, steps) of the next token, whatever came before; the last token is the end."""

    probabilities_VT: Tensor

    @property
    def tokens(self) -> tuple[str, ...]:
        """Return the names of the tokens."""
        return (*ascii_uppercase[: len(self.probabilities_VT) - 1], END)

    @property
    def limits(self) -> Limits:
        """Return the rules of a search: it ends with the last step of the table."""
        return Limits(start=0, end=len(self.probabilities_VT) - 1, longest=[self.probabilities_VT.shape[1]])

    def step(self, last_ids_BW: Tensor, state: int) -> tuple[Tensor, int]:
        """Return the column of this step for every beam; log probabilities are logits too."""
        log_probs_V = self.probabilities_VT[:, state].log()
        return log_probs_V.expand(*last_ids_BW.shape, -1).clone(), state + 1

    def reorder(self, state: int, sources: Tensor, beams: Tensor) -> int:
        """Return the state, which is the step and knows no beams."""
        return state

    def words(self, hypothesis: Hypothesis) -> str:
        """Return the tokens of a sequence as text."""
        return " ".join(self.tokens[id] for id in hypothesis.ids)


def token_table(given: Given) -> TokenTable:
    """Return the reader's table, or deck 3's."""
    rows = given.matrix or DECK
    if len(rows) < 2:
        raise DataError(
            f"The matrix has {len(rows)} row. Give a row for each token; the last is the end of the sequence."
        )
    _check_columns(rows)
    return TokenTable(torch.tensor(rows, dtype=torch.float64))


def root(product: float, length: int) -> float:
    """Return the n-th root of a product of n probabilities."""
    return math.exp(math.log(product) / length) if product > 0 else 0.0


def _check_columns(rows: Matrix) -> None:
    for step, column in enumerate(zip(*rows, strict=True), start=1):
        if min(column) < 0:
            raise DataError(f"Column {step} of the matrix holds {min(column):g}. Probabilities are 0 or more.")
        if abs(sum(column) - 1) > TOLERANCE:
            raise DataError(
                f"Column {step} of the matrix sums to {sum(column):g}. The probabilities of a step sum to 1: the "
                f"columns are steps, the rows are tokens."
            )
