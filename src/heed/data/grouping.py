"""`connected_groups`: records that share a text, directly or through others, as one group each."""

import hashlib
from array import array
from collections.abc import Iterable


def connected_groups(links: Iterable[Iterable[str]]) -> "array[int]":
    """Return for each record the number of its group; `links` are the texts by which a record is tied to others.

    A group has the number of its first record. Union-find (Tarjan 1975): time grows with the number of texts, and of a
    text 8 bytes of its hash are kept. Two texts with one hash would only put two groups together.
    """
    parents = array("q")
    first: dict[int, int] = {}  # the record in which each text was seen first
    for number, texts in enumerate(links):
        parents.append(number)
        for text in texts:
            _join(parents, first.setdefault(_digest(text), number), number)
    for number in range(len(parents)):
        parents[number] = _root(parents, number)
    return parents


def _join(parents: "array[int]", one: int, other: int) -> None:
    one, other = sorted((_root(parents, one), _root(parents, other)))
    parents[other] = one


def _root(parents: "array[int]", number: int) -> int:
    while parents[number] != number:
        parents[number] = parents[parents[number]]  # halve the way for whoever comes next
        number = parents[number]
    return number


def _digest(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8"), digest_size=8).digest(), "big")
