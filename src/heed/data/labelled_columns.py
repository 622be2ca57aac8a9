"""Which columns of a table are text and label, and whether what was found there can be labels at all.

A wrong column would be learnt without a murmur, so what looks like text, ids or an unknown header is refused with the
way to say what was meant.
"""

import dataclasses
from collections import Counter
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from heed.data.labels import as_number, guess_outcome
from heed.data.records import LabelledText
from heed.data.table_kinds import TableKind, choose_columns
from heed.data.task_columns import TASK_COLUMNS
from heed.errors import DataError
from heed.files.columns import Columns, columns_option, find_columns
from heed.files.quoting import quote

TEXT_NAMES = (
    *("text", "sentence", "review", "content", "comment", "tweet", "message", "document", "body", "utterance"),
    *("question", "headline", "description", "title"),
)
PAIR_NAMES = (
    *(("sentence1", "sentence2"), ("text1", "text2"), ("premise", "hypothesis"), ("question1", "question2")),
    *(("#1 String", "#2 String"), ("sentence_a", "sentence_b"), ("text_a", "text_b"), ("first", "second")),
    *(("question", "sentence"), ("s1", "s2")),
)
LABEL_NAMES = (
    *("label", "gold_label", "labels", "class", "category", "sentiment", "target", "intent", "topic", "polarity"),
    *("emotion", "rating", "stars", "is_duplicate", "quality", "relation", "score", "similarity"),
    *("relatedness_score",),
)
ONE_TEXT = TableKind(TASK_COLUMNS["classify"], "text, label", "text and label", tuple(product(TEXT_NAMES, LABEL_NAMES)))
TWO_TEXTS = TableKind(
    TASK_COLUMNS["pair"],
    "first text, second text, label",
    "text and label",
    tuple((*pair, label) for pair, label in product(PAIR_NAMES, LABEL_NAMES)),
)

MOST_LABELS = 10_000  # classes; the output layer of a model has a row for each
FEW_ROWS = 20  # so many may all have different labels, as in a small test of many classes
MANY_ROWS = 100  # of so many, more than half with different labels are no classes


def find_labelled_columns(path: Path, wanted: Sequence[str] | None, kind: TableKind) -> Columns:
    """Return the columns of what is labelled and of the label, in that order."""
    chosen = choose_columns(path, wanted, kind)
    if wanted is None and not _is_label(chosen.names[-1]) and any(map(_is_label, chosen.names)):
        named = sorted(chosen.names, key=_is_label)  # stable: the texts keep their order, the label goes last
        chosen = find_columns(path, named)
    return dataclasses.replace(chosen, scalars=frozenset(chosen.names[-1:]))


def refuse_too_many(path: Path, labels: int, noun: str) -> None:
    """Raise DataError if there are more labels than a model can tell apart; `noun` is what they are labels of."""
    if labels > MOST_LABELS:
        raise DataError(
            f"{path}: {labels:,} different labels; at most {MOST_LABELS:,} are read. They look like names or ids of "
            f"the {noun}: put several {noun} under each label."
        )


def refuse_unlikely(
    path: Path, kind: TableKind, columns: Columns, asked: bool, records: Sequence[LabelledText]
) -> None:
    """Raise DataError if the labels cannot be labels: nearly all different, or the first one a header's."""
    counts = Counter(record.label for record in records)
    if not columns.header and not asked and columns.width:
        _refuse_header(path, records, counts)
    if kind == TWO_TEXTS and guess_outcome(records) == "number" and not _are_ids(counts):
        return
    rows, different = len(records), len(counts)
    if different > MOST_LABELS or (rows > MANY_ROWS and different > rows / 2) or different == rows > FEW_ROWS:
        raise DataError(
            f"{path}: the {different:,} different labels of column {quote(columns.names[-1])} in {rows:,} rows look "
            f"like a column of text or ids, such as {quote(records[0].label)}. {_other_column(kind, columns, records)}"
        )


def _refuse_header(path: Path, records: Sequence[LabelledText], counts: Counter[str]) -> None:
    first = records[0]
    others_repeat = len(counts) - 1 < (len(records) - 1) / 2
    others_are_numbers = all(as_number(label) is not None for label in counts if label != first.label)
    if counts[first.label] > 1 or as_number(first.label) is not None or len(records) < 3:
        return
    if others_repeat or others_are_numbers:
        names = (*first.texts, first.label)
        raise DataError(
            f"{first.place}: this row looks like a header of names that are not known, for its label "
            f"{quote(first.label)} stands nowhere else in {path}. If it is one, name its columns: "
            f"{columns_option(names)}; if it is data, say {columns_option([str(n + 1) for n in range(len(names))])}"
        )


def _are_ids(counts: Counter[str]) -> bool:
    values = [as_number(label) for label in counts]
    is_whole = all(value is not None and value.is_integer() for value in values)
    return is_whole and counts.total() == len(counts) > FEW_ROWS


def _other_column(kind: TableKind, columns: Columns, records: Sequence[LabelledText]) -> str:
    *texts, label = columns.names
    if len(texts) == 1 and len({record.texts for record in records}) < len(records) / 10:
        return f"Are {kind.nouns} the other way round? Then say {columns_option((label, texts[0]))}"
    present = ", ".join(quote(name) for name in columns.present[:20])
    return f"Name the columns as --columns {kind.option}; there are {present}."


def _is_label(name: str) -> bool:
    return name.lower() in LABEL_NAMES
