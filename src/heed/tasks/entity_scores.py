"""Scores of tagged words: entities found whole and with the right kind, or, for plain labels, words that are right.

An entity counts as found only if its first word, its last word and its kind are all right, as in CoNLL-2003 (Tjong Kim
Sang and De Meulder 2003). Precision, recall and F1 are those of all entities together (micro), with an interval over
the sentences, and those of each kind.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heed.data.entity_tags import Span, spans_of
from heed.errors import DataError
from heed.tasks.bootstrap import RESAMPLES, SEED, BootstrapInterval, draw_counts, percentile_interval

Tags = Sequence[str]


@dataclass(frozen=True, slots=True)
class KindScores:
    """How well one kind of entity, or one plain label, is found; a ratio without anything to divide by is 0."""

    name: str
    precision: float  # of what was found, the share that is right
    recall: float  # of what is there, the share that was found
    f1: float
    support: int  # how many are there
    found: int  # how many were said to be


@dataclass(frozen=True, slots=True)
class EntityScores:
    """Scores over `sentences` with `entities` in them, from 0 to 1; the interval is bootstrapped over sentences."""

    sentences: int
    words: int
    entities: int
    precision: float
    recall: float
    f1: float
    f1_interval: BootstrapInterval
    accuracy: float  # of the tags of words; mostly O, so a high one says little
    kinds: tuple[KindScores, ...]  # sorted by name; also those that only the model or only the data has


@dataclass(frozen=True, slots=True)
class WordScores:
    """Scores of plain labels over `words` words, from 0 to 1; the interval is bootstrapped over sentences."""

    sentences: int
    words: int
    accuracy: float
    accuracy_interval: BootstrapInterval
    labels: tuple[KindScores, ...]  # sorted by name


TagScores = EntityScores | WordScores


def score_entities(
    expected: Sequence[Tags], predicted: Sequence[Tags], *, resamples: int = RESAMPLES, seed: int = SEED
) -> EntityScores:
    """Return the scores of predicted tags of entities, one sequence a sentence, against those expected."""
    _check(expected, predicted)
    there = [set(spans_of(tags)) for tags in expected]
    found = [set(spans_of(tags)) for tags in predicted]
    counts_N3 = np.array([(len(a & b), len(a), len(b)) for a, b in zip(there, found, strict=True)], dtype=np.int64)
    right, have, given = counts_N3.sum(axis=0)
    precision, recall, f1 = _ratios(right, have, given)
    return EntityScores(
        sentences=len(expected),
        words=sum(map(len, expected)),
        entities=int(have),
        precision=precision,
        recall=recall,
        f1=f1,
        f1_interval=percentile_interval(_drawn_f1(counts_N3, resamples, seed), seed),
        accuracy=word_accuracy(expected, predicted),
        kinds=_kinds(*map(_count_kinds, ([a & b for a, b in zip(there, found, strict=True)], there, found))),
    )


def score_words(
    expected: Sequence[Tags], predicted: Sequence[Tags], *, resamples: int = RESAMPLES, seed: int = SEED
) -> WordScores:
    """Return the scores of predicted plain labels, one sequence a sentence, against those expected."""
    _check(expected, predicted)
    pairs = [list(zip(*both, strict=True)) for both in zip(expected, predicted, strict=True)]
    counts_N2 = np.array([(sum(a == b for a, b in pair), len(pair)) for pair in pairs], dtype=np.int64)
    flat = [pair for sentence in pairs for pair in sentence]
    drawn = np.concatenate([rows @ counts_N2 for rows in draw_counts(len(pairs), resamples, seed)])
    accuracies_R = drawn[:, 0] / np.maximum(1, drawn[:, 1])
    return WordScores(
        sentences=len(expected),
        words=len(flat),
        accuracy=word_accuracy(expected, predicted),
        accuracy_interval=percentile_interval(accuracies_R, seed),
        labels=_kinds(Counter(a for a, b in flat if a == b), Counter(a for a, _ in flat), Counter(b for _, b in flat)),
    )


def brief_entity_scores(expected: Sequence[Tags], predicted: Sequence[Tags]) -> dict[str, float]:
    """Return F1, precision and recall of entities, as they are measured at a validation."""
    _check(expected, predicted)
    pairs = [(set(spans_of(a)), set(spans_of(b))) for a, b in zip(expected, predicted, strict=True)]
    right, have, given = (sum(map(len, sets)) for sets in zip(*((a & b, a, b) for a, b in pairs), strict=True))
    precision, recall, f1 = _ratios(right, have, given)
    return {"f1": f1, "precision": precision, "recall": recall}


def word_accuracy(expected: Sequence[Tags], predicted: Sequence[Tags]) -> float:
    """Return the share of words with the right tag."""
    right = sum(a == b for both in zip(expected, predicted, strict=True) for a, b in zip(*both, strict=True))
    return right / max(1, sum(map(len, expected)))


def _drawn_f1(counts_N3: np.ndarray, resamples: int, seed: int) -> np.ndarray:
    drawn_R3 = np.concatenate([rows @ counts_N3 for rows in draw_counts(len(counts_N3), resamples, seed)])
    right_R, whole_R = 2 * drawn_R3[:, 0], drawn_R3[:, 1] + drawn_R3[:, 2]
    return np.divide(right_R, whole_R, out=np.zeros(len(drawn_R3)), where=whole_R > 0)


def _count_kinds(sentences: Sequence[set[Span]]) -> Counter[str]:
    return Counter(span.kind for spans in sentences for span in spans)


def _kinds(right: Counter[str], there: Counter[str], found: Counter[str]) -> tuple[KindScores, ...]:
    return tuple(
        KindScores(name, *_ratios(right[name], there[name], found[name]), there[name], found[name])
        for name in sorted({*there, *found})
    )


def _ratios(right: int, have: int, given: int) -> tuple[float, float, float]:
    """Return precision, recall and F1 of so many right ones among those that are there and those given."""
    return _divide(right, given), _divide(right, have), _divide(2 * right, have + given)


def _divide(part: int, whole: int) -> float:
    return float(part / whole) if whole else 0.0


def _check(expected: Sequence[Tags], predicted: Sequence[Tags]) -> None:
    if not expected:
        raise DataError("There are 0 sentences to score. Give at least one.")
    lengths, given = [len(tags) for tags in expected], [len(tags) for tags in predicted]
    if lengths != given:
        raise DataError(
            f"{len(given):,} sentences of {sum(given):,} tags are scored against {len(lengths):,} of {sum(lengths):,} "
            f"words. Give one tag for each word."
        )
