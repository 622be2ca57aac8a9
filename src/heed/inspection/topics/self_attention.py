"""Deck 3's worked self-attention, step by step: queries, keys, values, scores, weights, outputs."""

from dataclasses import dataclass

import torch
from torch import Tensor

from heed.inspection.given import MOST_ROWS, Given, words_of
from heed.inspection.panels import HeatMap
from heed.inspection.shown import Note, Part, Shown, Table, numbered, numbers_of, table_of
from heed.inspection.topics.made_up import word_vectors
from heed.layers.attention import Attend
from heed.layers.scores import build_score, score_keys
from heed.layers.trace import Trace

INPUTS = ((1.0, 0.0, 1.0, 0.0), (0.0, 2.0, 0.0, 2.0), (1.0, 1.0, 1.0, 1.0))
WORDS = ("I", "love", "you")
KEY_WEIGHTS = ((0.0, 0.0, 1.0), (1.0, 1.0, 0.0), (0.0, 1.0, 0.0), (1.0, 1.0, 0.0))
QUERY_WEIGHTS = ((1.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, 1.0, 1.0))
VALUE_WEIGHTS = ((0.0, 2.0, 0.0), (0.0, 3.0, 0.0), (1.0, 0.0, 3.0), (1.0, 1.0, 0.0))
SEED = 0  # of the weights for inputs that are not as wide as the deck's

DECK_1_INPUTS = ((1.0, 1.0, 1.0), (0.0, 1.0, 0.0), (0.0, 0.0, 0.0))

CORRECTIONS = (
    "Deck 1 (slides 20 to 22) works an example with x1 = 1 1 1, x2 = 0 1 0, x3 = 0 0 0 as queries, keys and values. "
    "Its first output, 0.7 0.9 0.7, is right. For the other two it has 0.3 0.6 0.3 and 0 0 0, but they are 0.39 0.78 "
    "0.39 and 0.33 0.67 0.33: a query of zeros scores every key alike, so it gets the mean of the values, not zeros.",
    "Deck 5 writes that in self-attention query = key = vector. The three come from the same inputs, each by weights "
    "of its own; here no two of them are equal.",
)


@dataclass(frozen=True)
class Example:
    """Inputs (T, D), and the weights (D, K) that make queries, keys and values of them."""

    names: tuple[str, ...]
    inputs_TD: Tensor
    query_DK: Tensor
    key_DK: Tensor
    value_DK: Tensor
    origin: str


@dataclass(frozen=True)
class Steps:
    """Every matrix on the way from inputs to outputs."""

    queries_TK: Tensor
    keys_TK: Tensor
    values_TK: Tensor
    scores_TT: Tensor
    weights_TT: Tensor
    outputs_TK: Tensor


def show_self_attention(given: Given) -> Shown:
    """Return each step of self-attention without scaling, as deck 3 does it."""
    example = _example(given)
    steps = attend(example, scaled=False)
    own = given.matrix is not None or bool(given.texts)
    names, numbers = example.names, numbered("", steps.outputs_TK.shape[1])
    return Shown(
        topic="self-attention",
        title="Self-attention, step by step",
        shows=f"Every token's query is compared with every token's key; the outputs mix the values. {example.origin}",
        parts=(
            table_of("1. Inputs", example.inputs_TD, names, numbered("", example.inputs_TD.shape[1]), 2),
            *_weights(example),
            table_of("3. Queries = inputs x query weights", steps.queries_TK, names, numbers, 2),
            table_of("4. Keys = inputs x key weights", steps.keys_TK, names, numbers, 2),
            table_of("5. Values = inputs x value weights", steps.values_TK, names, numbers, 2),
            table_of("6. Scores = queries x keys (row looks at column)", steps.scores_TT, names, names, 2),
            table_of("7. Weights = softmax of each row", steps.weights_TT, names, names),
            table_of("8. Outputs = weights x values", steps.outputs_TK, names, numbers),
            _first_output(steps, names),
            *(() if own else _deck_1()),
        ),
        corrections=() if own else CORRECTIONS,
        panels=(
            HeatMap("scores", numbers_of(steps.scores_TT), names, names, 1),
            HeatMap("weights: each row sums to 1", numbers_of(steps.weights_TT), names, names),
            HeatMap("outputs", numbers_of(steps.outputs_TK), names, numbers),
        ),
    )


def attend(example: Example, scaled: bool) -> Steps:
    """Return all steps, as the layer itself makes them."""
    q_TK, k_TK, v_TK = (example.inputs_TD @ each for each in (example.query_DK, example.key_DK, example.value_DK))
    q_BHTK, k_BHTK, v_BHTK = (each[None, None] for each in (q_TK, k_TK, v_TK))
    score = build_score("scaled" if scaled else "dot", heads=1, head_width=q_TK.shape[1], places=len(q_TK))
    layer, trace = Attend(score, "shown"), Trace()
    outputs_BHTK = layer(q_BHTK, score.prepare(k_BHTK), v_BHTK, None, trace)
    scores_BHTT = score_keys(score, q_BHTK, score.prepare(k_BHTK))
    return Steps(q_TK, k_TK, v_TK, scores_BHTT[0, 0], trace.weights["shown"][0, 0], outputs_BHTK[0, 0])


def deck_1() -> Example:
    """Return deck 1's example: queries, keys and values are the inputs themselves."""
    same_KK = torch.eye(3)
    inputs = torch.tensor(DECK_1_INPUTS)
    return Example(numbered("x", 3), inputs, same_KK, same_KK, same_KK, "Deck 1, slides 20 to 22.")


def _example(given: Given) -> Example:
    words = words_of(" ".join(given.texts), MOST_ROWS)
    if given.matrix is not None:
        inputs_TD = torch.tensor(given.matrix)
        names = words if len(words) == len(inputs_TD) else numbered("x", len(inputs_TD))
        return _weighted(names, inputs_TD, "The inputs are yours.")
    if words:
        return _weighted(words, word_vectors(words, 4), "The vectors of your words are made up, the same every time.")
    return _weighted(WORDS, torch.tensor(INPUTS), "The numbers are deck 3's.")


def _weighted(names: tuple[str, ...], inputs_TD: Tensor, origin: str) -> Example:
    width = inputs_TD.shape[1]
    if width == len(KEY_WEIGHTS):
        query_DK, key_DK, value_DK = (torch.tensor(each) for each in (QUERY_WEIGHTS, KEY_WEIGHTS, VALUE_WEIGHTS))
        return Example(names, inputs_TD, query_DK, key_DK, value_DK, origin)
    generator = torch.Generator().manual_seed(SEED)
    drawn_3DK = torch.randint(0, 3, (3, width, 3), generator=generator).float()
    origin = f"{origin} Deck 3's weights take 4 numbers a token, not {width}: weights of 0, 1 and 2 are drawn."
    return Example(names, inputs_TD, drawn_3DK[0], drawn_3DK[1], drawn_3DK[2], origin)


def _weights(example: Example) -> tuple[Part, ...]:
    rows, columns = numbered("", len(example.query_DK)), numbered("", example.query_DK.shape[1])
    named = (("2a. Query", example.query_DK), ("2b. Key", example.key_DK), ("2c. Value", example.value_DK))
    return tuple(table_of(f"{name} weights", values, rows, columns, 2) for name, values in named)


def _first_output(steps: Steps, names: tuple[str, ...]) -> Table:
    """Return the first row of the outputs as the sum that it is."""
    shares_TK = steps.weights_TT[0][:, None] * steps.values_TK
    rows = torch.cat([shares_TK, shares_TK.sum(dim=0, keepdim=True)])
    labels = (
        *(f"{weight:.4f} x value of {name}" for weight, name in zip(steps.weights_TT[0].tolist(), names, strict=True)),
        "sum",
    )
    return table_of(f"The first output, {names[0]}, as a sum", rows, labels, numbered("", steps.values_TK.shape[1]))


def _deck_1() -> tuple[Part, ...]:
    example = deck_1()
    steps = attend(example, scaled=True)
    return (
        Note("Deck 1's example", "Queries, keys and values are the inputs; scores are divided by sqrt(3)."),
        table_of("Its scores", steps.scores_TT, example.names, example.names, 2),
        table_of("Its weights", steps.weights_TT, example.names, example.names, 2),
        table_of("Its outputs", steps.outputs_TK, example.names, numbered("", 3), 2),
    )
