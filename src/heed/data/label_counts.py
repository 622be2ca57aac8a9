"""How the labels are spread: how often each stands in each split, and which look like misspellings of another."""

import difflib
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from heed.data.labelled_splits import LabelledParts
from heed.data.labels import Labelled, as_number, sorted_labels
from heed.files.quoting import quote

RARE = 100  # times rarer than the label it is like: a slip, not a class
LIKE = 0.75  # likeness by difflib; "positve" is like "positive" by 0.93, "neutral" like "natural" by 0.71
COMPARED = 200  # rarest and commonest labels that are compared with each other
EXAMPLES = 3
SHOWN_LABELS = 20  # rows of the table in a terminal


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


def count_labels(splits: LabelledParts) -> tuple[LabelCount, ...]:
    """Return the counts of all labels, in their order."""
    parts = (splits.train, splits.valid, splits.test)
    train, valid, test = (Counter(record.label for record in part) for part in parts)
    names = sorted_labels({*train, *valid, *test})
    return tuple(LabelCount(name, train[name], valid[name], test[name]) for name in names)


def find_misspellings(records: Sequence[Labelled]) -> tuple[Misspelling, ...]:
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


def label_table(labels: Sequence[LabelCount], counts: dict[str, int]) -> list[str]:
    """Return how often each label stands in each split, as lines for a terminal; `counts` are the records of each."""
    shown = sorted(labels, key=lambda label: -label.train)[:SHOWN_LABELS] if len(labels) > SHOWN_LABELS else labels
    names = [quote(label.label, 30) for label in shown]
    width = max(18, *(len(name) + 1 for name in names))
    head = f"{'label':<{width}}" + "".join(f"{split:>17}" for split in counts)
    rows = [
        f"{name:<{width}}" + "".join(_share(getattr(label, split), whole) for split, whole in counts.items())
        for name, label in zip(names, shown, strict=True)
    ]
    more = [f"… and {len(labels) - len(shown):,} rarer labels"] if len(labels) > len(shown) else []
    return [head, *rows, *more]


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


def _share(count: int, whole: int) -> str:
    return f"{count:>9,}{count / whole:>8.1%}" if whole else f"{'–':>17}"
