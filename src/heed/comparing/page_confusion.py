"""Confusion matrices: what was expected against what was said; only the worst confusions where labels are many."""

from collections.abc import Sequence

import numpy

from heed.comparing.results import Comparison
from heed.pages.markup import Child, Markup, element, together
from heed.pages.parts import fold, name, scrolling, table

MOST_CELLS = 5000  # of all matrices; with more of them the page would be slow and nobody could read it
MOST_CONFUSIONS = 20

Counts = numpy.ndarray


def confusions(comparison: Comparison) -> Markup:
    """Return a matrix for each contender, summed over its seeds; the best one's is unfolded."""
    whole = len(comparison.labels) ** 2 * len(comparison.standings) <= MOST_CELLS
    folds = []
    for place, standing in enumerate(comparison.standings):
        counts_EP = summed(comparison, standing.name)
        caption = f"{standing.name}: expected labels by row, what was said by column, {_seeds(standing.seeds)}"
        shown = _matrix(caption, comparison.labels, counts_EP) if whole else _worst(comparison.labels, counts_EP)
        folds.append(fold(name(standing.name), shown, unfolded=place == 0))
    return together(folds)


def summed(comparison: Comparison, contender: str) -> Counts:
    """Return how often each label (row) was said to be each (column), over all seeds of a contender."""
    return numpy.sum([trial.confusion for trial in comparison.trials if trial.contender == contender], axis=0)


def _matrix(caption: str, labels: Sequence[str], counts_EP: Counts) -> Markup:
    head = [
        element("th", "expected ↓ said →", scope="col"),
        *(element("th", name(label), scope="col") for label in labels),
    ]
    head.append(element("th", "in all", scope="col"))
    rows = []
    for label, counts_P in zip(labels, counts_EP.tolist(), strict=True):
        total = sum(counts_P)
        cells = [_cell(count, total) for count in counts_P]
        rows.append(element("tr", element("th", name(label), scope="row"), *cells, element("td", f"{total:,}")))
    return scrolling(caption, element("thead", element("tr", *head)), element("tbody", *rows), kind="numbers confusion")


def _cell(count: int, total: int) -> Markup:
    if count == 0:
        return element("td", "0")
    share = count / total
    return element("td", f"{count:,} ", element("small", f"{share:.0%}"), style=f"--s:{share:.2f}")


def _worst(labels: Sequence[str], counts_EP: Counts) -> Markup:
    """Return a table of the most frequent confusions."""
    wrong_EP = counts_EP.copy()
    numpy.fill_diagonal(wrong_EP, 0)
    rows: list[list[Child]] = []
    for place in numpy.argsort(-wrong_EP, axis=None, kind="stable")[:MOST_CONFUSIONS].tolist():
        expected, said = divmod(place, len(labels))
        times = int(wrong_EP[expected, said])
        if times:
            share = times / int(counts_EP[expected].sum())
            rows.append([name(labels[expected]), name(labels[said]), f"{times:,}", f"{share:.0%}"])
    titles = ["Expected", "Said", "Times", "Of all so expected"]
    return table(f"The most frequent confusions of {len(labels)} labels", titles, rows)


def _seeds(seeds: int) -> str:
    return "one seed" if seeds == 1 else f"the sum over {seeds} seeds"
