"""The test examples that tell contenders apart, and those that none gets right: what to read after the table."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy

from heed.comparing.opinions import Numbers, Opinions, opinions_of
from heed.comparing.results import Comparison, TestExample

MOST_CONTESTED = 50  # as many as a person reads
MOST_FAILED = 20


@dataclass(frozen=True)
class Answer:
    """What the majority of a contender's seeds says of an example; the mean of them where that is a number."""

    contender: str
    said: str
    right: bool | None  # None where an answer is not simply right or wrong
    confidence: float | None  # the mean probability that those seeds give it
    votes: int  # seeds that say so
    seeds: int


@dataclass(frozen=True)
class JudgedExample:
    """A test example with every contender's answer."""

    number: int  # its place in the test data, from 0
    example: TestExample
    answers: tuple[Answer, ...]  # in the order of the standings


@dataclass(frozen=True)
class Disagreements:
    """The examples worth reading, the most telling first, and how many there are of each kind."""

    contested: tuple[JudgedExample, ...]
    contested_count: int
    failed: tuple[JudgedExample, ...]
    failed_count: int


def find_disagreements(
    comparison: Comparison, most_contested: int = MOST_CONTESTED, most_failed: int = MOST_FAILED
) -> Disagreements:
    """Return the examples on which contenders disagree most strongly, and those that all get wrong most surely."""
    opinions = opinions_of(comparison)
    contested = _strongest(opinions.contested_N, opinions.strength_N, most_contested)
    failed = _strongest(opinions.failed_N, opinions.failure_N, most_failed)
    return Disagreements(
        contested=tuple(_judged(comparison, opinions, number) for number in contested),
        contested_count=int(opinions.contested_N.sum()),
        failed=tuple(_judged(comparison, opinions, number) for number in failed),
        failed_count=int(opinions.failed_N.sum()),
    )


def _strongest(chosen_N: Numbers, strength_N: Numbers, most: int) -> Sequence[int]:
    """Return the numbers of the chosen examples, the strongest first; equals stay in the order of the data."""
    numbers = numpy.flatnonzero(chosen_N)
    order = numpy.argsort(-strength_N[numbers], kind="stable")
    return [int(number) for number in numbers[order][:most]]


def _judged(comparison: Comparison, opinions: Opinions, number: int) -> JudgedExample:
    answers = []
    for row, standing in enumerate(comparison.standings):
        confidence = float(opinions.confidence_CN[row, number])
        answers.append(
            Answer(
                contender=standing.name,
                said=opinions.said[row][number],
                right=None if opinions.right_CN is None else bool(opinions.right_CN[row, number]),
                confidence=None if numpy.isnan(confidence) else confidence,
                votes=int(opinions.votes_CN[row, number]),
                seeds=standing.seeds,
            )
        )
    return JudgedExample(number, comparison.examples[number], tuple(answers))
