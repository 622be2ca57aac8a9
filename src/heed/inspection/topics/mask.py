"""Deck 1's causal mask: a matrix of scores before the mask, after it, and after softmax."""

import torch

from heed.errors import DataError
from heed.inspection.given import Given
from heed.inspection.panels import HeatMap, Numbers
from heed.inspection.shown import Shown, Table, numbered, numbers_of, table_of
from heed.layers.masks import attend_to_past, masked_softmax

# Deck 1, slide 30; where it has minus infinity, any number would do.
SCORES = (
    (1.2, 0.0, 0.0, 0.0, 0.0),
    (2.3, 1.5, 0.0, 0.0, 0.0),
    (0.5, 1.4, 1.6, 0.0, 0.0),
    (0.6, 1.8, 2.4, 0.3, 0.0),
    (2.1, 2.3, 0.2, 2.0, 2.5),
)

CORRECTIONS = (
    "Deck 1 (slide 30) leaves rows 4 and 5 as scores after the softmax: 0.6 1.8 2.4 0.3 and 2.1 2.3 0.2 2.0 2.5. The "
    "weights are 0.0900 0.2988 0.5445 0.0667 and 0.2097 0.2562 0.0314 0.1898 0.3129.",
    "Its row 3, 0.15 0.38 0.46, sums to 0.99 by rounding: it is 0.1547 0.3805 0.4648.",
)


def show_mask(given: Given) -> Shown:
    """Return the scores under the mask and their softmax."""
    scores_TT = torch.tensor(given.matrix or SCORES)
    if scores_TT.shape[0] != scores_TT.shape[1]:
        raise DataError(
            f"The matrix has {scores_TT.shape[0]} rows and {scores_TT.shape[1]} columns. "
            f"Give as many rows as columns: a score for each position that looks at each position."
        )
    may_attend = attend_to_past(len(scores_TT))
    weights_TT = masked_softmax(scores_TT[None, None], may_attend)[0, 0]
    seen = _seen(scores_TT, may_attend[0, 0])
    rows, columns = numbered("position ", len(scores_TT)), numbered("", len(scores_TT))
    return Shown(
        topic="mask",
        title="The causal mask: a position looks at itself and at what came before",
        shows="Scores of what comes later become minus infinity, so that their weights are zero.",
        parts=(
            Table("Scores under the mask (-inf: not seen)", columns, rows, seen, decimals=2),
            table_of("Weights = softmax of each row", _with_sums(weights_TT), rows, (*columns, "sum")),
        ),
        corrections=() if given.matrix else CORRECTIONS,
        panels=(
            HeatMap("scores: crossed out is not seen", seen, rows, columns),
            HeatMap("weights: each row sums to 1", numbers_of(weights_TT), rows, columns),
        ),
    )


def _with_sums(weights_TT: torch.Tensor) -> torch.Tensor:
    return torch.cat([weights_TT, weights_TT.sum(dim=1, keepdim=True)], dim=1)


def _seen(scores_TT: torch.Tensor, may_attend_TT: torch.Tensor) -> Numbers:
    return tuple(
        tuple(score if seen else None for score, seen in zip(*rows, strict=True))
        for rows in zip(scores_TT.tolist(), may_attend_TT.tolist(), strict=True)
    )
