"""What is to be said of a text or a picture: one of several labels, or a number."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy
import torch
from torch import Tensor

from heed.data.labels import Labelled, Labels, Outcome, numbers_of
from heed.data.records import LabelledText
from heed.errors import DataError, RunError


@dataclass(frozen=True)
class Classes:
    """One of several labels: a model has an output for each."""

    labels: Labels

    @property
    def outputs(self) -> int:
        """Return how many outputs a model needs."""
        return len(self.labels.names)

    def encode(self, records: Sequence[Labelled]) -> Tensor:
        """Return the number of each record's label (N,)."""
        return torch.tensor([self.labels.number(record.label) for record in records], dtype=torch.int64)


@dataclass(frozen=True)
class Scale:
    """A number: a model has one output, the distance from the mean of training in units of its spread."""

    mean: float
    spread: float
    outputs: int = 1

    def encode(self, records: Sequence[Labelled]) -> Tensor:
        """Return each record's number (N,) as the model learns it."""
        numbers = numpy.asarray(numbers_of(records), dtype=numpy.float64)
        return torch.from_numpy((numbers - self.mean) / self.spread).float()

    def decode(self, outputs: numpy.ndarray) -> list[float]:
        """Return the numbers that outputs of the model stand for."""
        return cast(list[float], (outputs.astype(numpy.float64) * self.spread + self.mean).tolist())


Targets = Classes | Scale


def find_targets(records: Sequence[LabelledText], outcome: Outcome) -> Targets:
    """Return the labels of the training records, or the scale of their numbers."""
    if outcome == "label":
        return Classes(Labels.of(records))
    numbers = numpy.asarray(numbers_of(records), dtype=numpy.float64)
    spread = float(numbers.std())
    if spread == 0:
        raise DataError(
            f"All {len(records):,} numbers are {numbers[0]:g}: there is nothing to learn. Check the column."
        )
    return Scale(float(numbers.mean()), spread)


def to_facts(targets: Targets) -> dict[str, str | float | list[str]]:
    """Return the targets as JSON can hold them; `from_facts` gives them back."""
    match targets:
        case Classes(labels):
            return {"outcome": "label", "names": list(labels.names)}
        case Scale(mean, spread):
            return {"outcome": "number", "mean": mean, "spread": spread}


def from_facts(facts: Mapping[str, object], origin: str) -> Targets:
    """Return the targets that `to_facts` described, or raise RunError."""
    match dict(facts):
        case {"outcome": "label", "names": [_, _, *_] as names} if all(isinstance(name, str) for name in names):
            return Classes(Labels(tuple(map(str, names))))
        case {"outcome": "number", "mean": float(mean), "spread": float(spread)} if math.isfinite(mean) and spread > 0:
            return Scale(mean, spread)
    raise RunError(f"{origin} holds neither labels nor a scale: {str(dict(facts))[:80]}. Train again.")
