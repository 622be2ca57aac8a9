"""Greedy search on deck 3's table: the most probable token of each step."""

import math

from heed.decoding.greedy import greedy
from heed.decoding.hypotheses import Hypothesis
from heed.inspection.given import Given
from heed.inspection.panels import HeatMap
from heed.inspection.shown import Note, Shown, Table, numbered, numbers_of, table_of
from heed.inspection.topics.next_token_table import TokenTable, root, token_table


def show_greedy(given: Given) -> Shown:
    """Return the table, the path that greedy search takes, its product and its n-th root."""
    table = token_table(given)
    [found] = greedy(table, 0, table.limits)
    steps = numbered("step ", table.probabilities_VT.shape[1])
    path = tuple((id, step) for step, id in enumerate(found.ids))
    return Shown(
        topic="greedy",
        title="Greedy search",
        shows="At each step the most probable token is taken, and never taken back.",
        parts=(
            table_of("Probability of the next token", table.probabilities_VT, table.tokens, steps, 2),
            _path(table, found),
            Note("The sequence", _said(table, found)),
            Note("What greedy cannot know", _shorter(table, found)),
        ),
        corrections=(),
        panels=(
            HeatMap(
                "framed: what greedy takes", numbers_of(table.probabilities_VT), table.tokens, steps, 2, marked=path
            ),
        ),
    )


def _path(table: TokenTable, found: Hypothesis) -> Table:
    rows, product = [], 1.0
    for step, (id, log_prob) in enumerate(zip(found.ids, found.log_probs, strict=True), start=1):
        product *= math.exp(log_prob)
        rows.append((table.tokens[id], math.exp(log_prob), product, root(product, step)))
    columns = ("token", "probability", "product so far", "n-th root")
    return Table("The path", columns, numbered("step ", len(rows)), tuple(rows))


def _said(table: TokenTable, found: Hypothesis) -> str:
    factors = " x ".join(f"{math.exp(log_prob):.3g}" for log_prob in found.log_probs)
    cut = "" if found.ended == "end" else " It did not end: the table has no further step."
    return (
        f"{table.words(found)}: {factors} = {math.exp(found.log_prob):.4g}; its n-th root with n = {len(found.ids)} is "
        f"{math.exp(found.score):.4f}.{cut}"
    )


def _shorter(table: TokenTable, found: Hypothesis) -> str:
    """Tell whether ending at once would have been more probable than the whole sequence."""
    at_once, product = float(table.probabilities_VT[-1, 0]), math.exp(found.log_prob)
    than = "more" if at_once > product else "no more"
    return (
        f"Ending at once has the probability {at_once:.4g}, {than} than the {product:.4g} of the whole sequence: a "
        "product shrinks with every token. `heed show beam` compares sequences of different lengths by the n-th root."
    )
