"""What is said of a text or a picture: the known labels and their numbers; or, for pairs, numbers as such."""

import difflib
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol

from heed.errors import DataError
from heed.files.quoting import quote

# "label": one of several, whose order says nothing. "number": a point on a scale, as in similarity from 0 to 5.
Outcome = Literal["label", "number"]

MOST_WHOLE_VALUES = 20  # so many different whole numbers may be the names of classes; more are a scale
SHOWN_LABELS = 20  # in a message
# Stricter than float(): no nan, no inf, no 1_000, no digits of other scripts.
DECIMAL = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


class Labelled(Protocol):
    """A record with a label: a text or a picture."""

    @property
    def label(self) -> str:
        """Return what is said of it."""
        ...

    @property
    def place(self) -> str:
        """Return where that is said."""
        ...


@dataclass(frozen=True)
class Labels:
    """The labels that a model knows; the number of one is its place among the names."""

    names: tuple[str, ...]  # sorted: by value where all are numbers, else by text

    @classmethod
    def of(cls, records: Iterable[Labelled]) -> "Labels":
        """Return the different labels of the records, sorted."""
        return cls(tuple(sorted_labels({record.label for record in records})))

    def number(self, name: str) -> int:
        """Return the number of a label, or raise DataError with the known ones and the nearest."""
        if name not in self._numbers:
            raise DataError(f"There is no label {quote(name)}. {known_labels(name, self.names)}")
        return self._numbers[name]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.names)}


def sorted_labels(names: Iterable[str]) -> list[str]:
    """Return the labels in order: by value where all are numbers ("2" before "10"), else by text."""
    listed = sorted(names)
    values = [as_number(name) for name in listed]
    if None in values:
        return listed
    return [name for _, name in sorted(zip(values, listed, strict=True))]


def known_labels(name: str, names: Sequence[str]) -> str:
    """Return the sentence that lists the known labels and, where one is near to the name, asks whether it was meant."""
    more = f" and {len(names) - SHOWN_LABELS:,} more" if len(names) > SHOWN_LABELS else ""
    shown = ", ".join(quote(known) for known in names[:SHOWN_LABELS])
    near = [known for known in names if known.casefold() == name.casefold()]
    near = near or difflib.get_close_matches(name, names, n=1)
    hint = f" Did you mean {quote(near[0])}?" if near else " Correct it, or leave the record out."
    return f"The {len(names):,} known label(s): {shown}{more}.{hint}"


def as_number(label: str) -> float | None:
    """Return the finite decimal number that the label is, or None."""
    if not DECIMAL.fullmatch(label):
        return None
    number = float(label)
    return number if math.isfinite(number) else None


def guess_outcome(records: Sequence[Labelled]) -> Outcome:
    """Tell whether the labels are numbers: all read as one, and one is not whole or over 20 are different."""
    numbers = {as_number(label) for label in {record.label for record in records}}
    values = [number for number in numbers if number is not None]
    if len(values) < len(numbers) or not values:
        return "label"
    is_scale = len(values) > MOST_WHOLE_VALUES or not all(value.is_integer() for value in values)
    return "number" if is_scale else "label"


def numbers_of(records: Sequence[Labelled]) -> list[float]:
    """Return the labels as numbers, or raise DataError with the place of the first that is none."""
    numbers: list[float] = []
    for record in records:
        number = as_number(record.label)
        if number is None:
            where = f"{record.place}: " if record.place else ""
            raise DataError(
                f"{where}the label {quote(record.label)} is not a finite decimal number such as 3.8. "
                f"Correct it, or have the labels taken as classes."
            )
        numbers.append(number)
    return numbers
