"""The audit of pairs finds a label that leaks, and finds none where nothing leaks."""

import numpy
import pytest
from numpy.typing import NDArray

from heed.tasks.pair_audit import PairAudit, audit_pairs
from heed.tasks.sentence_pairs import Pair

COUNT = 2000
HALVES = numpy.arange(COUNT) % 2 == 0
DRAW = numpy.random.default_rng(11)
FOLLOWS = DRAW.random(COUNT) < 0.5
SAME = numpy.full(COUNT, 7)


def audited(
    first_lengths: NDArray[numpy.int64] = SAME,
    second_lengths: NDArray[numpy.int64] = SAME,
    first_tokens: NDArray[numpy.int64] = SAME,
    last_tokens: NDArray[numpy.int64] = SAME,
) -> PairAudit:
    """Return the audit of pairs with these lengths and outer tokens of the second text."""
    pairs = []
    for number in range(COUNT):
        second = numpy.ones(second_lengths[number], dtype=numpy.int64)
        second[0], second[-1] = first_tokens[number], last_tokens[number]
        pairs.append(Pair(numpy.ones(first_lengths[number], dtype=numpy.int64), second, bool(FOLLOWS[number])))
    audit = audit_pairs(pairs, HALVES)
    assert audit is not None
    return audit


def test_the_last_token_is_found_to_tell() -> None:
    audit = audited(last_tokens=numpy.where(FOLLOWS, 3, 4))
    assert audit.by_last_token == 1.0
    assert audit.by_first_token < 0.55
    assert audit.by_length < 0.55


def test_the_first_token_is_found_to_tell() -> None:
    audit = audited(first_tokens=numpy.where(FOLLOWS, 3, 4))
    assert audit.by_first_token == 1.0
    assert audit.by_last_token < 0.55


@pytest.mark.parametrize("side", ["first_lengths", "second_lengths"])
def test_a_length_is_found_to_tell(side: str) -> None:
    lengths = DRAW.integers(2, 30, size=COUNT) + 40 * FOLLOWS
    assert audited(**{side: lengths}).by_length > 0.95


def test_the_length_of_both_together_is_found_to_tell() -> None:
    first = DRAW.integers(2, 60, size=COUNT)
    audit = audited(first_lengths=first, second_lengths=numpy.where(FOLLOWS, 70 - first, 68 - first))
    assert audit.by_length > 0.95


def test_a_rule_is_not_scored_on_the_pairs_that_it_was_made_from() -> None:
    every_other = numpy.arange(COUNT)  # a rule that remembers each token would be right on all it has seen
    assert 0.45 < audited(last_tokens=every_other).by_last_token < 0.55


def test_pairs_without_a_label_are_not_counted() -> None:
    text = numpy.ones(3, dtype=numpy.int64)
    pairs = [Pair(text, text, None), Pair(text, text, None), Pair(text, text, True), Pair(text, text, False)]
    audit = audit_pairs(pairs, numpy.asarray([True, False, True, False]))
    assert audit is not None
    assert (audit.pairs, audit.follows) == (2, 0.5)
    assert audit_pairs(pairs[:2], numpy.asarray([True, False])) is None
