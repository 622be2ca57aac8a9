"""The tree of every expansion that a beam search considered: for reading why a sequence won and others did not.

Give a `TreeRecorder` to `beam_search`; afterwards `recorder.tree(source)` is the tree of one source and `render` makes
lines of it. A search without a recorder does nothing for it. With one, a few more candidates per step than the
beams hold are looked at, so that the tree shows what narrowly missed; the results are the same.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, assert_never

from heed.decoding.candidates import Candidate, Fate
from heed.errors import UsageError

Told = Literal[
    "kept",
    "ended: end token",
    "ended: length limit",
    "dropped: not among the best",
    "dropped: none of its continuations was among the best",
    "pruned: cannot beat the best finished",
]


@dataclass(frozen=True, slots=True)
class Node:
    """One token that was considered after one prefix."""

    token: int
    step: int  # from 1
    parent: int | None  # position of the parent in the tree's nodes; None after the start
    prob: float  # of this token, given its prefix
    total_prob: float  # of the whole prefix, this token included
    score: float  # normalised, as if the sequence ended here
    fate: Told  # a node with children is always "kept", one without never


@dataclass(frozen=True, slots=True)
class BeamTree:
    """The nodes of one source, in the order in which they were considered: by step, best first."""

    nodes: tuple[Node, ...]

    def ids(self, position: int) -> tuple[int, ...]:
        """Return the token ids from the first to the node at this position."""
        ids: list[int] = []
        at: int | None = position
        while at is not None:
            ids.append(self.nodes[at].token)
            at = self.nodes[at].parent
        return tuple(reversed(ids))


class TreeRecorder:
    """Collects the trees of one search."""

    def __init__(self, extra: int = 3) -> None:
        if extra < 0:
            raise UsageError(f"extra is {extra}. Give the number of candidates to show beyond the beams: 0 or more.")
        self.extra = extra
        self._nodes: dict[int, list[Node]] = {}
        self._node_of_place: dict[int, list[int]] = {}  # source -> the node that holds each beam of the last step

    def record(
        self,
        source: int,
        step: int,
        candidates: Sequence[Candidate],
        scores: Sequence[float],
        fates: Sequence[Fate],
        going: bool,
    ) -> None:
        """Add one step of one source; candidates past the fates found no place. `going`: the source is searched on."""
        nodes = self._nodes.setdefault(source, [])
        parents = self._node_of_place.get(source)
        places: list[int] = []
        for place, (candidate, score) in enumerate(zip(candidates, scores, strict=True)):
            if place < len(fates):
                places.append(len(nodes))
            if candidate.total == -math.inf:
                continue  # an empty place: fewer continuations exist than were asked for
            told = _told(fates[place] if place < len(fates) else "dropped", going)
            parent = parents[candidate.beam] if parents is not None else None
            prob, total_prob = math.exp(candidate.log_prob), math.exp(candidate.total)
            nodes.append(Node(candidate.id, step, parent, prob, total_prob, score, told))
        self._node_of_place[source] = places

    def tree(self, source: int) -> BeamTree:
        """Return the tree of the source at this position of the batch."""
        if source not in self._nodes:
            raise UsageError(f"There is no tree of source {source}. Recorded: {sorted(self._nodes)}.")
        nodes = self._nodes[source]
        parents = {node.parent for node in nodes}
        return BeamTree(tuple(_settled(node, position in parents) for position, node in enumerate(nodes)))


def render(tree: BeamTree, piece: Callable[[int], str]) -> list[str]:
    """Return the tree as indented lines: token, its probability, that of the whole, normalised score, fate."""
    children: dict[int | None, list[int]] = {}
    for position, node in enumerate(tree.nodes):
        children.setdefault(node.parent, []).append(position)
    lines: list[str] = []
    # A stack, not recursion: a sequence may be longer than Python's recursion limit.
    waiting = [(position, "") for position in reversed(children.get(None, []))]
    while waiting:
        position, indent = waiting.pop()
        node = tree.nodes[position]
        last = position == children[node.parent][-1]
        lines.append(f"{indent}{'└─ ' if last else '├─ '}{_line(node, piece)}")
        deeper = indent + ("   " if last else "│  ")
        waiting.extend((child, deeper) for child in reversed(children.get(position, [])))
    return lines


def _line(node: Node, piece: Callable[[int], str]) -> str:
    """Return what is said of one node; characters that would break the line are written as escapes."""
    text = "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in piece(node.token)
    )
    return f"{text}  p={node.prob:.3g}  total={node.total_prob:.3g}  score={node.score:.3f}  {node.fate}"


def _told(fate: Fate, going: bool) -> Told:
    match fate:
        case "ended":
            return "ended: end token"
        case "cut":
            return "ended: length limit"
        case "dropped":
            return "dropped: not among the best"
        case "live":
            return "kept" if going else "pruned: cannot beat the best finished"
        case _:
            assert_never(fate)


def _settled(node: Node, has_children: bool) -> Node:
    """Return the node, with its fate corrected if it was kept and then came to nothing."""
    if node.fate != "kept" or has_children:
        return node
    return replace(node, fate="dropped: none of its continuations was among the best")
