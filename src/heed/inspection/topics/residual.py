"""Residual connections: what gradients, words and their order are after many blocks, with and without them."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from heed.errors import UsageError
from heed.inspection.given import MOST_ROWS, Given, words_of
from heed.inspection.panels import Curve, Curves
from heed.inspection.shown import Note, Shown, Table
from heed.inspection.topics.made_up import word_vectors
from heed.layers.norms import NormName
from heed.layers.positions import AddTable, sinusoid
from heed.models.block_settings import build_encoder_block, start_weights
from heed.models.encoder import EncoderSettings

SENTENCE = "Jane visite l'Afrique en septembre"
DEPTH = 12
WIDTH, HEADS, INNER = 32, 4, 64
WRITTEN = (1, 2, 4, 6, 8, 12)  # depths in the tables
SEED = 0

CORRECTIONS = (
    'Deck 4 notes that layer norm "prevents vanishing gradients from softmax in attention". What keeps the softmax '
    "from saturating is the division of scores by sqrt(d_k), as deck 5 says (see `heed show activations`); layer norm "
    "keeps the size of the vectors between blocks.",
)


@dataclass(frozen=True)
class Measured:
    """What is left after 1, 2, 3, ... blocks."""

    gradient: tuple[float, ...]  # length of what comes back to the input, in blocks without norms
    likeness: tuple[float, ...]  # mean cosine of two different words
    order: tuple[float, ...]  # how far one word at different places is told apart, beside its length


def show_residual(given: Given) -> Shown:
    """Return gradients, likeness of words and order by depth, with and without residuals."""
    words = words_of(" ".join(given.texts) or SENTENCE, MOST_ROWS)
    if len(words) < 2:
        raise UsageError(f"The text {words[0]!r} is one word. Give at least 2: words are compared with each other.")
    kept, lost = measure(words, True), measure(words, False)
    gradient = {"with residuals": _relative(kept.gradient), "without": _relative(lost.gradient)}
    likeness = {"with residuals": kept.likeness, "without": lost.likeness}
    order = {"with residuals": kept.order, "without": lost.order}
    return Shown(
        topic="residual",
        title=f"Residual connections over {DEPTH} blocks",
        shows="Each sublayer adds to what it was given, x + f(x), or replaces it, f(x).",
        parts=(
            _table("Likeness of different words: mean cosine (1: all the same)", likeness, 3),
            _table("Order: one word at every place, how far the places differ", order, 6),
            _table("Length of the gradient at the input (one block: 1), in blocks without norms", gradient, 6),
            Note("What this says", _told(kept, lost)),
        ),
        corrections=CORRECTIONS,
        panels=(
            _curves("likeness of different words", "mean cosine", likeness, logarithmic=False),
            _curves("order that is left", "difference between places", order, logarithmic=True),
            _curves("gradient at the input, no norms", "length, one block = 1", gradient, logarithmic=True),
        ),
    )


def measure(words: tuple[str, ...], residual: bool) -> Measured:
    """Return what untrained encoder blocks do, the norm after each sublayer as in deck 2.

    Gradients are those of blocks without norms: norms bring every vector back to one length, which hides what is lost.
    """
    place = AddTable(sinusoid(len(words), WIDTH))
    words_BTD = place(word_vectors(words, WIDTH)[None])
    same_BTD = place(word_vectors([words[0]] * len(words), WIDTH)[None])
    normed = _stack(residual, "layer")
    with torch.inference_mode():
        likeness = tuple(_likeness(x_BTD[0]) for x_BTD in _after_each(normed, words_BTD))
        order = tuple(_order(x_BTD[0]) for x_BTD in _after_each(normed, same_BTD))
    return Measured(_gradients(_stack(residual, "none"), words_BTD), likeness, order)


def _stack(residual: bool, norm: NormName) -> nn.ModuleList:
    settings = EncoderSettings(
        width=WIDTH,
        heads=HEADS,
        feedforward=INNER,
        dropout=0.0,
        positions="sinusoid",
        norm=norm,
        norm_place="after",
        residual=residual,
    )
    with torch.random.fork_rng():
        torch.manual_seed(SEED)
        blocks = nn.ModuleList(build_encoder_block(settings, layer, MOST_ROWS) for layer in range(DEPTH))
        start_weights(blocks, WIDTH)
    return blocks


def _after_each(blocks: nn.ModuleList, x_BTD: Tensor) -> Iterator[Tensor]:
    """Yield what leaves each block."""
    keep = torch.ones(x_BTD.shape[:2], dtype=torch.bool)
    for block in blocks:
        x_BTD = block(x_BTD, keep, None)
        yield x_BTD


def _gradients(blocks: nn.ModuleList, x_BTD: Tensor) -> tuple[float, ...]:
    """Return the length of the gradient that comes back to the input from behind each block."""
    x_BTD = x_BTD.clone().requires_grad_()
    wanted_BTD = torch.randn(x_BTD.shape, generator=torch.Generator().manual_seed(SEED))
    lengths = []
    for out_BTD in _after_each(blocks, x_BTD):
        [slope_BTD] = torch.autograd.grad((out_BTD * wanted_BTD).sum(), x_BTD, retain_graph=True)
        lengths.append(float(slope_BTD.norm()))
    return tuple(lengths)


def _likeness(x_TD: Tensor) -> float:
    unit_TD = functional.normalize(x_TD, dim=1)
    cosines_TT = unit_TD @ unit_TD.mT
    others = ~torch.eye(len(x_TD), dtype=torch.bool)
    return float(cosines_TT[others].mean())


def _order(x_TD: Tensor) -> float:
    """Return how far places differ from their mean, beside how long the vectors are."""
    return float((x_TD - x_TD.mean(dim=0)).norm() / x_TD.norm())


def _relative(values: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(value / values[0] for value in values)


def _table(heading: str, rows: dict[str, tuple[float, ...]], decimals: int) -> Table:
    columns = tuple(f"{depth} block{'s' if depth > 1 else ''}" for depth in WRITTEN)
    cells = tuple(tuple(values[depth - 1] for depth in WRITTEN) for values in rows.values())
    return Table(heading, columns, tuple(rows), cells, decimals)


def _curves(title: str, up: str, rows: dict[str, tuple[float, ...]], logarithmic: bool) -> Curves:
    depths = tuple(float(depth) for depth in range(1, DEPTH + 1))
    return Curves(title, "blocks", up, tuple(Curve(name, depths, values) for name, values in rows.items()), logarithmic)


def _told(kept: Measured, lost: Measured) -> str:
    return (
        f"After 4 blocks without residuals different words have a cosine of {lost.likeness[3]:.3f}, with them "
        f"{kept.likeness[3]:.3f}. Of the order {lost.order[-1]:.1g} is left after {DEPTH} against "
        f"{kept.order[-1]:.1g}, which is what deck 2 means by passing positional information on. Gradients are "
        f"{_relative(lost.gradient)[-1]:.1g} times those of one block against {_relative(kept.gradient)[-1]:.2g} "
        f"times; growing is what the norm then prevents. The blocks are untrained, width {WIDTH}, {HEADS} heads."
    )
