"""A comparison as lines for a terminal: a table, and under it which gaps are real."""

import textwrap
from collections.abc import Sequence
from itertools import chain

from heed.comparing.findings import cautions, gap_sentences
from heed.comparing.results import Comparison, Standing
from heed.comparing.wording import Scale, costs, scale_of, verdict
from heed.files.quoting import printable, shortened

WIDEST = 110  # columns of a terminal
SHORTEST_NAME = 12  # characters of a model's name that are shown even if the table grows wider


def table_lines(comparison: Comparison) -> list[str]:
    """Return the table and the sentences below it."""
    rows = [_titles(comparison), *(_cells(comparison, standing) for standing in comparison.standings)]
    left = {0, 1, 3}  # names, scores and verdicts; other columns are numbers, and stand to the right
    if len(comparison.standings) == 1:
        rows, left = [[*row[:2], *row[4:]] for row in rows], {0, 1}  # there is nothing to be set against
    lines = _aligned(_with_short_names(rows), left)
    sentences = [*gap_sentences(comparison), *cautions(comparison)]
    return [*lines, *([""] if sentences else []), *chain.from_iterable(map(_wrapped, sentences))]


def _titles(comparison: Comparison) -> list[str]:
    scale = scale_of(comparison)
    score = f"{scale.title}{scale.unit}"
    return ["model", score, "to the best", "", "params", "min", "ms/text", "texts/s", "disk", "cut %"]


def _cells(comparison: Comparison, standing: Standing) -> list[str]:
    scale = scale_of(comparison)
    return [
        printable(standing.name),
        scale.interval(standing.score),
        *_beside_best(standing, scale),
        *costs(standing),
    ]


def _beside_best(standing: Standing, scale: Scale) -> tuple[str, str]:
    if standing.against_best is None:
        return "best", ""
    return scale.gap(standing.against_best), verdict(standing.against_best)


def _with_short_names(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the rows with names as long as the width allows; the sentences below have them whole."""
    others = sum(max(map(len, column)) + 2 for column in list(zip(*rows, strict=True))[1:])
    longest = max(SHORTEST_NAME, WIDEST - others)
    return [[shortened(row[0], longest), *row[1:]] for row in rows]


def _aligned(rows: Sequence[Sequence[str]], left: set[int]) -> list[str]:
    padded = []
    for number, column in enumerate(zip(*rows, strict=True)):
        width = max(map(len, column))
        padded.append([cell.ljust(width) if number in left else cell.rjust(width) for cell in column])
    return ["  ".join(row).rstrip() for row in zip(*padded, strict=True)]


def _wrapped(sentence: str) -> list[str]:
    return textwrap.wrap(printable(sentence), WIDEST, break_long_words=False, break_on_hyphens=False)
