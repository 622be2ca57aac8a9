"""The activations that may stand in the feed-forward part, their slopes, and why scores are scaled before a softmax."""

from collections.abc import Callable

import torch
from torch import Tensor

from heed.errors import DataError
from heed.inspection.given import MOST_COLUMNS, Given
from heed.inspection.panels import Curve, Curves
from heed.inspection.shown import Note, Shown, Table, table_of
from heed.layers.feedforward import ActivationName, FeedForward, build_feedforward
from heed.layers.masks import masked_softmax
from heed.layers.scores import build_score, score_keys

NUMBERS = (-3.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0)
NAMES: tuple[ActivationName, ...] = ("relu", "elu", "gelu", "gelu-tanh", "swish")
HEAD_WIDTHS = (4, 64, 512)
QUERIES, KEYS = 500, 8  # random, for the softmax
SEED = 0


def show_activations(given: Given) -> Shown:
    """Return each activation and its slope at the numbers, and what scaling does for the softmax."""
    x_N = torch.tensor(_numbers(given))
    values, slopes = zip(*(value_and_slope(function, x_N) for function in functions().values()), strict=True)
    names, columns = tuple(functions()), tuple(f"{number:g}" for number in x_N.tolist())
    return Shown(
        topic="activations",
        title="Activations and their slopes",
        shows="max(0, x) of deck 5 and what came after it; a slope near 0 is a place where nothing is learnt.",
        parts=(
            table_of("Value", torch.stack(values), names, columns),
            table_of("Slope", torch.stack(slopes), names, columns),
            Note("What to see", _told()),
            _scaled(),
        ),
        corrections=(),
        panels=(
            Curves("value", "x", "f(x)", _curves(0)),
            Curves("slope", "x", "f'(x)", _curves(1)),
        ),
    )


def functions() -> dict[str, Callable[[Tensor], Tensor]]:
    """Return the activations by name, as the feed-forward part has them, and deck 5's sigmoid."""
    made: dict[str, Callable[[Tensor], Tensor]] = {}
    for name in NAMES:
        part = build_feedforward(name, width=1, inner=1, dropout=0.0)
        assert isinstance(part, FeedForward)
        made[name] = part.activation
    return {**made, "sigmoid": torch.sigmoid}


def value_and_slope(function: Callable[[Tensor], Tensor], x_N: Tensor) -> tuple[Tensor, Tensor]:
    """Return a function's values and its slopes, by differentiation rather than by formula."""
    x_N = x_N.detach().clone().requires_grad_()
    y_N = function(x_N)
    [slope_N] = torch.autograd.grad(y_N.sum(), x_N)
    return y_N.detach(), slope_N


def _numbers(given: Given) -> tuple[float, ...]:
    if given.matrix is None:
        return NUMBERS
    numbers = tuple(number for row in given.matrix for number in row)
    if len(numbers) > MOST_COLUMNS:
        raise DataError(f"The matrix holds {len(numbers)} numbers; at most {MOST_COLUMNS} are put in. Give fewer.")
    return numbers


def _curves(which: int) -> tuple[Curve, ...]:
    x_N = torch.linspace(-4, 4, 161)
    return tuple(
        Curve(name, tuple(x_N.tolist()), tuple(value_and_slope(function, x_N)[which].tolist()))
        for name, function in functions().items()
        if name != "gelu-tanh"  # no eye can tell it from gelu
    )


def _told() -> str:
    return (
        "Left of 0 relu has slope 0: such a unit learns nothing. elu, gelu and swish let something through there. "
        "gelu-tanh is GPT-2's approximation of gelu. swiglu is no function of one number: it multiplies swish(W x) "
        "by a second projection V x. The sigmoid's slope is 0.25 at most, and nearly 0 far out: deck 5's extremely "
        "small gradients."
    )


def _scaled() -> Table:
    """Return how sharp softmax gets over random keys, and the slope that is left, by the width of a head."""
    rows = []
    for width in HEAD_WIDTHS:
        generator = torch.Generator().manual_seed(SEED)
        q_BHTK, k_BHSK = (torch.randn(1, 1, count, width, generator=generator) for count in (QUERIES, KEYS))
        row: list[float] = []
        for name in ("dot", "scaled"):
            score = build_score("scaled" if name == "scaled" else "dot", 1, width, KEYS)
            largest = masked_softmax(score_keys(score, q_BHTK, score.prepare(k_BHSK)), None).amax(dim=-1)
            row += [float(largest.mean()), float((largest * (1 - largest)).mean())]
        rows.append(tuple(row))
    columns = ("largest, dot", "slope, dot", "largest, scaled", "slope, scaled")
    heading = f"Softmax over {KEYS} random keys: the largest weight w, and its slope w (1 - w), by width of a head"
    return Table(heading, columns, tuple(f"K = {width}" for width in HEAD_WIDTHS), tuple(rows))
