"""Beam search with k = 2 on deck 3's table: its tree, and what the n-th root is for."""

import math
from dataclasses import dataclass
from typing import assert_never

import torch
from torch import Tensor

from heed.decoding.beam import BeamSettings, beam_search
from heed.decoding.greedy import greedy
from heed.decoding.hypotheses import Hypothesis
from heed.decoding.lengths import Normalisation
from heed.decoding.limits import Limits
from heed.decoding.tree import BeamTree, Node, TreeRecorder, render
from heed.inspection.given import Given
from heed.inspection.panels import Branch, BranchState, HeatMap, Tree
from heed.inspection.shown import Cell, Note, Shown, Table, numbered, numbers_of, table_of
from heed.inspection.topics.next_token_table import TokenTable, token_table

BEAMS = 2  # deck 3
WIDE = 64  # beams that find the best sequence of a small table with either way of comparing
WAYS: tuple[Normalisation, Normalisation] = ("none", "mean")  # the product alone; its n-th root
BEYOND = 2  # candidates that the tree shows although they missed a place


@dataclass(frozen=True)
class Search:
    """What one search found, best first, and the tree of all that it looked at."""

    found: tuple[Hypothesis, ...]
    tree: BeamTree


def show_beam(given: Given) -> Shown:
    """Return the tree of the search, what it found, and the best sequence with and without the root."""
    table = token_table(given)
    narrow = search(table, BEAMS, "mean")
    steps = numbered("step ", table.probabilities_VT.shape[1])
    return Shown(
        topic="beam",
        title=f"Beam search with k = {BEAMS}",
        shows=f"At each step the {BEAMS} best sequences so far are kept; finished ones are compared by the n-th root.",
        parts=(
            table_of("Probability of the next token", table.probabilities_VT, table.tokens, steps, 2),
            Note("The tree", "\n".join(render(narrow.tree, lambda id: table.tokens[id]))),
            _finished(f"What k = {BEAMS} found", table, narrow),
            _compared(table),
            Note("The n-th root", _why(table)),
            *(() if given.matrix else (_better_than_greedy(),)),
        ),
        corrections=(),
        panels=(
            HeatMap("next token", numbers_of(table.probabilities_VT), table.tokens, steps, 2),
            Tree("probability of the whole sequence so far; thick: the winner", _branches(table, narrow)),
        ),
    )


def search(table: TokenTable, beams: int, normalisation: Normalisation) -> Search:
    """Return what the search itself finds in the table."""
    recorder = TreeRecorder(extra=BEYOND)
    settings = BeamSettings(beams=beams, normalisation=normalisation, results=beams)
    [found] = beam_search(table, 0, table.limits, settings, recorder)
    return Search(tuple(found), recorder.tree(0))


def _finished(heading: str, table: TokenTable, done: Search) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (len(each.ids), math.exp(each.log_prob), math.exp(each.score), "ended" if each.ended == "end" else "cut")
        for each in done.found
    ]
    names = tuple(table.words(each) for each in done.found)
    return Table(heading, ("n", "product", "n-th root", "how"), names, tuple(rows))


def _compared(table: TokenTable) -> Table:
    """Return the best sequence for some widths, compared by the product alone and by its root."""
    names: list[str] = []
    rows: list[tuple[Cell, ...]] = []
    for beams in (1, BEAMS, 3, WIDE):
        by_product, by_root = (search(table, beams, way).found[0] for way in WAYS)
        names.append(f"k = {beams}")
        rows.append(
            (table.words(by_product), math.exp(by_product.log_prob), table.words(by_root), math.exp(by_root.score))
        )
    columns = ("best by product", "product", "best by n-th root", "root")
    return Table("The winner by width", columns, tuple(names), tuple(rows))


def _why(table: TokenTable) -> str:
    by_product, by_root = (search(table, WIDE, way).found[0] for way in WAYS)
    if by_product.ids == by_root.ids:
        return (
            f"Here both ways choose {table.words(by_root)}. A product shrinks with every token, its n-th root does not."
        )
    return (
        f"By the product alone {table.words(by_product)} wins with {math.exp(by_product.log_prob):.4g}: a product "
        f"shrinks with every token, so short sequences win. By the n-th root {table.words(by_root)} wins with "
        f"{math.exp(by_root.score):.4f}, although its product is {math.exp(by_root.log_prob):.4g}."
    )


class _Regret:
    """A chain whose likelier first token leads to worse ones: after A nothing is sure, after B the end nearly is."""

    after_VV = torch.tensor([[0.3, 0.3, 0.4], [0.05, 0.05, 0.9], [0.0, 0.0, 1.0]])
    first_V = torch.tensor([0.5, 0.4, 0.1])

    def step(self, last_ids_BW: Tensor, state: int) -> tuple[Tensor, int]:
        """Return what follows each beam's last token."""
        if state == 0:
            return self.first_V.log().expand(*last_ids_BW.shape, -1).clone(), 1
        return self.after_VV[last_ids_BW].log(), state + 1

    def reorder(self, state: int, sources: Tensor, beams: Tensor) -> int:
        """Return the state, which only counts steps."""
        return state


def _better_than_greedy() -> Note:
    """Return a chain in which two beams find more than greedy: the deck's table cannot show it."""
    limits, names = Limits(start=0, end=2, longest=[3]), ("A", "B", "<eos>")
    [plain] = greedy(_Regret(), 0, limits)
    [[wide]] = beam_search(_Regret(), 0, limits, BeamSettings(beams=BEAMS, normalisation="mean"))
    first, second = (" ".join(names[id] for id in each.ids) for each in (plain, wide))
    return Note(
        "Where a beam beats greedy",
        "The deck's table is the same whatever came before, so greedy already finds the best path. Let the first "
        "token be A 0.5, B 0.4, <eos> 0.1; after A let 0.3 0.3 0.4 follow, after B 0.05 0.05 0.9. Greedy takes "
        f"{first} ({math.exp(plain.log_prob):.2f}), k = {BEAMS} finds {second} ({math.exp(wide.log_prob):.2f}).",
    )


def _branches(table: TokenTable, done: Search) -> tuple[Branch, ...]:
    best = done.found[0].ids
    return tuple(
        Branch(
            f"{table.tokens[node.token]}  {node.total_prob:.3g}",
            node.step,
            node.parent,
            _state(done.tree, place, node, best),
        )
        for place, node in enumerate(done.tree.nodes)
    )


def _state(tree: BeamTree, place: int, node: Node, best: tuple[int, ...]) -> BranchState:
    if tree.ids(place) == best[: node.step]:
        return "best"
    match node.fate:
        case "kept":
            return "kept"
        case "ended: end token" | "ended: length limit":
            return "ended"
        case (
            "dropped: not among the best"
            | "dropped: none of its continuations was among the best"
            | "pruned: cannot beat the best finished"
        ):
            return "dropped"
        case _:
            assert_never(node.fate)
