"""Positions as numbers: deck 2's two rejected ideas, then sinusoids in the layouts of decks 2 and 4."""

from collections.abc import Callable

import torch
from torch import Tensor

from heed.files.quoting import shortened
from heed.inspection.given import MOST_ROWS, Given, words_of
from heed.inspection.panels import Curve, Curves, HeatMap
from heed.inspection.shown import Cell, Note, Shown, Table, numbered, numbers_of, table_of
from heed.layers.positions import sinusoid, sinusoid_concat

SENTENCES = ("Jane visite l'Afrique en septembre", "Jane visite l'Afrique en septembre avec ses trois amis")
WIDTH = 32  # of the pictures
TABLE_WIDTH = 8  # of what is written out
POSITIONS = 64
LONGEST_NAME, LONGEST_WORD = 40, 20  # characters of a sentence and of a word
LONG = 512  # positions by which an idea is judged

CORRECTIONS = (
    "Deck 4 lets the cosines run over i = d_m ... 2 d_m, which names one number too many: the last is 2 d_m - 1. Its "
    "exponent i / d_m with d_m half the width is deck 2's 2i / d_model, so both layouts hold the same numbers.",
)


def show_positions(given: Given) -> Shown:
    """Return both layouts, what they do with distance, and why simpler ideas do not."""
    sentences = tuple(words_of(text, MOST_ROWS) for text in given.texts or SENTENCES)
    longest = max(sentences, key=len)
    tables = {
        "sines and cosines in turn (decks 2, 5)": sinusoid,
        "all sines, then all cosines (deck 4)": sinusoid_concat,
    }
    return Shown(
        topic="positions",
        title="How a position becomes numbers",
        shows="A position must be unique, bounded, and mean the same in sentences of any length.",
        parts=(
            _first_idea(sentences),
            _second_idea(sentences),
            *(
                table_of(
                    f"Sinusoid, {name}, width {TABLE_WIDTH}",
                    layout(len(longest), TABLE_WIDTH),
                    _numbered_words(longest),
                    numbered("", TABLE_WIDTH),
                )
                for name, layout in tables.items()
            ),
            _products(),
            _judged(),
            Note("Nearness", _nearness()),
        ),
        corrections=CORRECTIONS,
        panels=(
            *(
                HeatMap(
                    f"{name}: black 1, white -1",
                    numbers_of(layout(POSITIONS, WIDTH)),
                    (),
                    (),
                    across="number of the vector",
                )
                for name, layout in tables.items()
            ),
            Curves(
                "dot product of two positions, whichever they are",
                "distance between them",
                "product",
                tuple(_curve(name, layout) for name, layout in tables.items()),
            ),
        ),
    )


def first_idea(positions: int) -> Tensor:
    """Return deck 2's first idea (T, 1): the first word is at 0, the last at 1."""
    return torch.linspace(0, 1, positions, dtype=torch.float64)[:, None]


def second_idea(positions: int) -> Tensor:
    """Return deck 2's second idea (T, 1): words are numbered 1, 2, 3, ..."""
    return torch.arange(1, positions + 1, dtype=torch.float64)[:, None]


def product_at(distance: int) -> float:
    """Return the dot product of two sinusoids so many positions apart: it is the same wherever they stand."""
    table = sinusoid(distance + 1, WIDTH)
    return float(table[0] @ table[distance])


def _first_idea(sentences: tuple[tuple[str, ...], ...]) -> Table:
    rows = tuple((len(words), 1 / max(1, len(words) - 1), *_ends(words)) for words in sentences)
    names = tuple(shortened(" ".join(words), LONGEST_NAME) for words in sentences)
    heading = "Rejected: from 0 to 1. One word further is another step in each sentence"
    return Table(heading, ("words", "step of one word", "first", "last"), names, rows)


def _ends(words: tuple[str, ...]) -> tuple[float, float]:
    ends = first_idea(len(words))
    return float(ends[0, 0]), float(ends[-1, 0])


def _second_idea(sentences: tuple[tuple[str, ...], ...]) -> Table:
    lengths = sorted({*(len(words) for words in sentences), 100, LONG})
    rows = tuple((float(second_idea(length)[-1, 0]), float(sinusoid(length, WIDTH).abs().max())) for length in lengths)
    heading = "Rejected: 1, 2, 3, ... The values grow past all that training has seen"
    names = tuple(f"{length} words" for length in lengths)
    return Table(heading, ("largest value", "largest of the sinusoid"), names, rows)


def _products() -> Table:
    distances = (0, 1, 2, 3, 4, 8, 16, 32, 63)
    cells = (tuple(product_at(distance) for distance in distances),)
    heading = f"Dot products over distance (width {WIDTH}; the same for both layouts, at every position)"
    return Table(heading, tuple(map(str, distances)), ("product",), cells, decimals=2)


def _judged() -> Table:
    """Return deck 2's criteria for each idea, measured rather than claimed."""
    ideas: dict[str, Callable[[int], Tensor]] = {
        "0 to 1": first_idea,
        "1, 2, 3, ...": second_idea,
        "sinusoid": lambda positions: sinusoid(positions, WIDTH),
    }
    cells = tuple(tuple(_yes(judge(idea)) for judge in (_unique, _consistent, _bounded)) for idea in ideas.values())
    columns = ("unique", "same step in all lengths", "bounded for any length")
    return Table(f"Deck 2's criteria, measured up to {LONG} positions", columns, tuple(ideas), cells)


def _unique(idea: Callable[[int], Tensor]) -> bool:
    table = idea(LONG)
    apart = torch.cdist(table, table) + torch.eye(LONG, dtype=table.dtype)
    return bool(apart.min() > 1e-6)


def _consistent(idea: Callable[[int], Tensor]) -> bool:
    return torch.equal(idea(LONG)[:5], idea(5))


def _bounded(idea: Callable[[int], Tensor]) -> bool:
    return bool(idea(LONG).abs().max() <= 1)


def _yes(answer: bool) -> Cell:
    return "yes" if answer else "no"


def _nearness() -> str:
    products = [product_at(distance) for distance in range(POSITIONS)]
    rises = next(distance for distance in range(1, POSITIONS) if products[distance] > products[distance - 1])
    return (
        f"Near positions have the larger products, but not steadily: from {products[0]:.1f} at distance 0 they fall to "
        f"{products[rises - 1]:.2f} at {rises - 1}, then swing up and down. Only the distance counts, not the place."
    )


def _curve(name: str, layout: Callable[[int, int], Tensor]) -> Curve:
    table = layout(POSITIONS, WIDTH)
    return Curve(name, tuple(map(float, range(POSITIONS))), tuple((table @ table[0]).tolist()))


def _numbered_words(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{place} {shortened(word, LONGEST_WORD)}" for place, word in enumerate(words))
