"""How the labels are spread: how often each stands in each split, and which look like misspellings of another."""

import difflib
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from heed.data.labelled_splits import LabelledSplits
from heed.data.labels import as_number, sorted_labels
from heed.data.records import LabelledText

RARE = 100  # times rarer than the label it is like: a slip, not a class
LIKE = 0.75  # likeness by difflib; "positve" is like "positive" by 0.93, "neutral" like "natural" by 0.71
COMPARED = 200  # rarest and commonest labels that are compared with each other
EXAMPLES = 3


@dataclass(frozen=True)
class LabelCount:
    """How many records of each split have the label."""

    label: str
    train: int
    valid: int
    test: int


@dataclass(frozen=True)
class Misspelling:
    """A label of train that looks like another, common one, misspelt."""

    label: str
    count: int
    meant: str
    meant_count: int
    examples: tuple[str, ...]  # places of the first


def count_labels(splits: LabelledSplits) -> tuple[LabelCount, ...]:
    """Return the counts of all labels, in their order."""
    parts = (splits.train, splits.valid, splits.test)
    train, valid, test = (Counter(record.label for record in part) for part in parts)
    names = sorted_labels({*train, *valid, *test})
    return tuple(LabelCount(name, train[name], valid[name], test[name]) for name in names)


def find_misspellings(records: Sequence[LabelledText]) -> tuple[Misspelling, ...]:
    """Return labels that are another but for case or accents, and rare ones that are nearly a common one."""
    counts = Counter(record.label for record in records).most_common()
    common = counts[:COMPARED]
    found = []
    for label, count in reversed(counts[-COMPARED:]):
        meant = next((each for each in common if _is_meant(label, count, *each)), None)
        if meant is not None:
            places = tuple(record.place for record in records if record.label == label)[:EXAMPLES]
            found.append(Misspelling(label, count, *meant, places))
    return tuple(found)


def _is_meant(label: str, count: int, other: str, other_count: int) -> bool:
    if label == other or count > other_count:
        return False
    if _folded(label) == _folded(other):
        return count < other_count or label > other  # of two that are equally common, one is told of
    if as_number(label) is not None or _without_digits(label) == _without_digits(other):
        # "1" and "11", or "class 1" and "class 11", are two classes; "1" and "1.0" are one.
        return as_number(label) is not None and as_number(label) == as_number(other)
    if count * RARE > other_count:
        return False
    return difflib.SequenceMatcher(None, _folded(label), _folded(other)).ratio() >= LIKE


def _folded(label: str) -> str:
    """Return the label without case, accents and white space."""
    pieces = unicodedata.normalize("NFKD", label.casefold())
    return "".join(piece for piece in pieces if not unicodedata.combining(piece) and not piece.isspace())


def _without_digits(label: str) -> str:
    return "".join(character for character in label if not character.isdigit())
