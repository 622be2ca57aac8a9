"""`Evaluated`: the scores of a model, apart for what its run has never seen, validated on and trained on.

`evaluate_apart` is how every task gets there: keys of the examples, their digests in the run's folder, and the task's
own evaluation of each part. An example counts as seen if its input was, whatever its label was then.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

import numpy
from numpy.typing import NDArray

from heed.data.example_keys import Key
from heed.data.image_store import Broken
from heed.runs.examples import SeenExamples, are_among, digests_of

Side = Literal["unseen", "validation", "training", "unknown"]
SIDES: tuple[Side, ...] = ("unseen", "validation", "training", "unknown")
UNSEEN, VALIDATION, TRAINING, UNKNOWN = range(4)

Result = TypeVar("Result")
Bytes = NDArray[numpy.uint8]


@dataclass(frozen=True)
class Part(Generic[Result]):
    """The scores of the examples that the run knew equally well."""

    side: Side  # "unknown": the run has kept no digests, so nobody can tell
    rows: Sequence[int]  # which of the examples these are, ascending
    evaluation: Result


@dataclass(frozen=True)
class Evaluated(Generic[Result]):
    """What an evaluation found; only scores of `unseen` say what to expect on new data."""

    parts: tuple[Part[Result], ...]  # those that have examples: unseen first, then validation, then training
    noun: str  # what the examples are: "texts"
    own_test: int = 0  # of the unseen examples are in the test split that the run set aside
    left_out: tuple[str, ...] = ()  # sentences: how many rows of the data were not scored, and why
    broken: tuple[Broken, ...] = ()  # images that cannot be read, and so are not scored
    note: str = ""  # a sentence on what could not be verified

    @property
    def unseen(self) -> Result | None:
        """Return the scores on examples that the run has neither trained nor validated on; None if there are none."""
        return self._side("unseen")

    @property
    def validation(self) -> Result | None:
        """Return the scores on examples of its validation set, by which its weights were chosen."""
        return self._side("validation")

    @property
    def training(self) -> Result | None:
        """Return the scores on examples of its training set: no measure of anything but memory."""
        return self._side("training")

    @property
    def unknown(self) -> Result | None:
        """Return the scores on all examples, if the run has kept no digests of those it has seen."""
        return self._side("unknown")

    def count(self, side: Side) -> int:
        """Return how many examples a side has."""
        return sum(len(part.rows) for part in self.parts if part.side == side)

    @property
    def examples(self) -> int:
        """Return how many examples were scored."""
        return sum(len(part.rows) for part in self.parts)

    @property
    def sentence(self) -> str:
        """Return what a person must know before reading the scores."""
        total, training, validation = self.examples, self.count("training"), self.count("validation")
        if self.count("unknown"):
            return (
                f"heed cannot tell which of these {total:,} {self.noun} the run has seen: it was imported, or trained "
                f"before 0.6.0, and has kept no digests of its examples."
            )
        if not training and not validation:
            own = _own_test(self.own_test, total)
            return f"None of these {total:,} {self.noun} was in the run's training or validation set{own}."
        if training == total:
            return f"NOT A TEST SCORE: all {total:,} {self.noun} were in the run's training set."
        if training + validation == total:
            return (
                f"NOT A TEST SCORE: all {total:,} {self.noun} were seen by the run, "
                f"{training:,} in its training set and {validation:,} in its validation set."
            )
        return (
            f"{training:,} of these {total:,} {self.noun} were in the run's training set and {validation:,} in its "
            f"validation set: they are scored apart. {self.count('unseen'):,} are unseen"
            f"{_own_test(self.own_test, self.count('unseen'))}."
        )

    def _side(self, side: Side) -> Result | None:
        return next((part.evaluation for part in self.parts if part.side == side), None)


def evaluate_apart(
    seen: SeenExamples | None, keys: Iterable[Key], noun: str, score: Callable[[Sequence[int]], Result]
) -> Evaluated[Result]:
    """Return the scores of each part of the examples; `score` is the task's own, over some of their rows."""
    digests = digests_of(keys)
    sides = _sides(seen, digests)
    if not len(sides):
        score(())  # refuses in the task's own words
    own_test = 0 if seen is None else int((are_among(digests, seen.test) & (sides == UNSEEN)).sum())
    found = [(side, numpy.flatnonzero(sides == number).tolist()) for number, side in enumerate(SIDES)]
    return Evaluated(tuple(Part(side, rows, score(rows)) for side, rows in found if rows), noun, own_test)


def _sides(seen: SeenExamples | None, digests: NDArray[numpy.uint64]) -> Bytes:
    if seen is None:
        return numpy.full(len(digests), UNKNOWN, dtype=numpy.uint8)
    sides = numpy.full(len(digests), UNSEEN, dtype=numpy.uint8)
    sides[are_among(digests, seen.valid)] = VALIDATION
    sides[are_among(digests, seen.train)] = TRAINING  # last: what is in both was trained on
    return sides


def _own_test(own: int, unseen: int) -> str:
    if not own:
        return ""
    return f"; {'they' if own == unseen else f'{own:,} of these'} are in the test split that the run set aside"
