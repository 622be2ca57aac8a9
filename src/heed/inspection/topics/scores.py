"""The six attention scores of deck 3, all on one query and the same keys."""

import torch
from torch import Tensor

from heed.errors import DataError
from heed.inspection.given import Given
from heed.inspection.panels import HeatMap
from heed.inspection.shown import Note, Shown, numbered, numbers_of, table_of
from heed.layers.masks import masked_softmax
from heed.layers.scores import CosineScore, Score, build_score, score_keys

# The first query and the keys of deck 3's worked self-attention: the dot scores are its 2, 4, 4.
VECTORS = ((1.0, 0.0, 2.0), (0.0, 1.0, 1.0), (4.0, 4.0, 0.0), (2.0, 3.0, 1.0))
SEED = 0  # of what the additive and the location score would learn

CORRECTIONS = (
    "Deck 1 (slide 16) writes additive attention as tanh(W1 Q + W2 K) V. That has neither the vector v, which makes "
    "one number of each tanh, nor the softmax: it is softmax(v . tanh(W1 q + W2 k)) V, as deck 3 has it.",
    "Deck 4 divides by 8 beside a picture whose vectors have d_k = 3 numbers. 8 is the root of 64, the d_k of deck "
    "2; the root of 3, by which the scaled scores here are divided, is 1.73.",
)


def show_scores(given: Given) -> Shown:
    """Return the scores and the weights of all six functions."""
    query_K, keys_SK = _vectors(given)
    functions = _functions(len(query_K), len(keys_SK))
    scores_NS = torch.stack([_scores(function, query_K, keys_SK) for function in functions.values()])
    weights_NS = masked_softmax(scores_NS[None, None], None)[0, 0]
    names, keys = tuple(functions), numbered("k", len(keys_SK))
    short = tuple(name.split()[0] for name in names)
    vectors = torch.cat([query_K[None], keys_SK])
    return Shown(
        topic="scores",
        title="Six ways to score how well a query fits a key",
        shows="One query looks at the same keys by each function; the weights are the softmax of its scores.",
        parts=(
            table_of("The vectors", vectors, ("q", *keys), numbered("", len(query_K)), 2),
            table_of("Scores", scores_NS, names, keys),
            table_of("Weights: softmax over each row", weights_NS, names, keys),
            Note("What is learnt", _learnt(len(query_K))),
        ),
        corrections=() if given.matrix else CORRECTIONS,
        panels=(
            HeatMap("scores", numbers_of(scores_NS), short, keys),
            HeatMap("weights: each row sums to 1", numbers_of(weights_NS), short, keys),
        ),
    )


def _vectors(given: Given) -> tuple[Tensor, Tensor]:
    """Return the query (K,) and the keys (S, K)."""
    rows = given.matrix or VECTORS
    if len(rows) < 2:
        raise DataError(
            f"The matrix has {len(rows)} row. Give the query in the first row and a key in each other row: '1 0; 0 1; "
            "1 1'."
        )
    vectors = torch.tensor(rows)
    return vectors[0], vectors[1:]


def _functions(width: int, places: int) -> dict[str, Score]:
    with torch.random.fork_rng():
        torch.manual_seed(SEED)
        return {
            "cosine    cos(q, k)": CosineScore(heads=1, strength=1.0),
            "additive  v . tanh(W q + U k)": build_score("additive", 1, width, places),
            "location  (W q) at the place": build_score("location", 1, width, places),
            "general   q . W k": build_score("general", 1, width, places),
            "dot       q . k": build_score("dot", 1, width, places),
            "scaled    q . k / sqrt(K)": build_score("scaled", 1, width, places),
        }


def _scores(function: Score, query_K: Tensor, keys_SK: Tensor) -> Tensor:
    return score_keys(function, query_K[None, None, None], function.prepare(keys_SK[None, None]))[0, 0, 0].detach()


def _learnt(width: int) -> str:
    return (
        f"Cosine, dot and scaled learn nothing (K = {width} here, the numbers of a vector). General starts as the "
        f"identity over sqrt(K), so before training it equals the scaled score. Additive and location are shown with "
        f"random first weights. Location never looks at the keys: change them, and its row stays."
    )
