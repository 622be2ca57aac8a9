"""Scores of a classifier: how often it is right, for each label, and how far its probabilities can be believed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heed.errors import DataError
from heed.tasks.bootstrap import RESAMPLES, SEED, BootstrapInterval, percentile_interval

CALIBRATION_BINS = 15


@dataclass(frozen=True, slots=True)
class LabelScores:
    """How well one label is found; a ratio without anything to divide by is 0."""

    name: str
    precision: float  # of the texts that were given this label, the share that have it
    recall: float  # of the texts that have this label, the share that were given it
    f1: float
    support: int  # texts that have it


@dataclass(frozen=True, slots=True)
class PositiveScore:
    """F1 of the second of two labels: what is sought, where one label means "yes"."""

    name: str
    f1: float
    interval: BootstrapInterval


@dataclass(frozen=True, slots=True)
class ClassificationScores:
    """Scores over `count` texts, from 0 to 1 except the log loss; intervals are bootstrapped over the texts."""

    count: int
    accuracy: float
    accuracy_interval: BootstrapInterval
    macro_f1: float  # mean of F1 over all labels that the model knows, also those that no text has
    macro_f1_interval: BootstrapInterval
    positive: PositiveScore | None  # None unless there are just two labels
    log_loss: float  # mean of -ln(probability of the right label), nats
    calibration_error: float  # gap between probability and share right, over 15 equally wide bins of the probability
    labels: tuple[LabelScores, ...]
    confusion: tuple[tuple[int, ...], ...]  # rows: the label that a text has; columns: the one it was given


def score(
    probabilities_NC: np.ndarray,
    expected: Sequence[int] | np.ndarray,
    names: Sequence[str],
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> ClassificationScores:
    """Return the scores of probabilities against the number of the label that each text has."""
    probabilities_NC, expected_N = np.asarray(probabilities_NC, np.float64), np.asarray(expected, np.int64)
    _check(probabilities_NC, expected_N, names)
    predicted_N = probabilities_NC.argmax(axis=1)
    confusion_CC = _confusion(expected_N, predicted_N, len(names))
    precision_C, recall_C, f1_C = _ratios(confusion_CC.diagonal(), confusion_CC.sum(axis=1), confusion_CC.sum(axis=0))
    drawn = _draw(confusion_CC, resamples, seed)
    labels = [
        LabelScores(name, float(precision), float(recall), float(f1), int(support))
        for name, precision, recall, f1, support in zip(
            names, precision_C, recall_C, f1_C, confusion_CC.sum(axis=1), strict=True
        )
    ]
    positive = None
    if len(names) == 2:
        positive = PositiveScore(names[1], labels[1].f1, percentile_interval(drawn.f1_RC[:, 1], seed))
    return ClassificationScores(
        count=len(expected_N),
        accuracy=float(confusion_CC.trace() / len(expected_N)),
        accuracy_interval=percentile_interval(drawn.accuracy_R, seed),
        macro_f1=float(f1_C.mean()),
        macro_f1_interval=percentile_interval(drawn.f1_RC.mean(axis=1), seed),
        positive=positive,
        log_loss=_log_loss(probabilities_NC, expected_N),
        calibration_error=calibration_error(probabilities_NC, expected_N),
        labels=tuple(labels),
        confusion=tuple(tuple(row) for row in confusion_CC.tolist()),
    )


def calibration_error(probabilities_NC: np.ndarray, expected_N: np.ndarray, bins: int = CALIBRATION_BINS) -> float:
    """Return the expected calibration error (Guo et al. 2017, eq. 3).

    Texts are sorted by the probability of the label they were given into bins of equal width, the upper edge belonging
    to the bin; each bin's gap between mean probability and share right counts by its number of texts.
    """
    top_N = probabilities_NC.max(axis=1)
    right_N = probabilities_NC.argmax(axis=1) == expected_N
    bin_N = np.clip(np.ceil(top_N * bins).astype(np.int64) - 1, 0, bins - 1)
    gaps = np.bincount(bin_N, weights=top_N - right_N, minlength=bins)
    return float(np.abs(gaps).sum() / len(expected_N))


def _confusion(expected_N: np.ndarray, predicted_N: np.ndarray, classes: int) -> np.ndarray:
    cells = np.bincount(expected_N * classes + predicted_N, minlength=classes * classes)
    return cells.reshape(classes, classes)


def _ratios(right: np.ndarray, have: np.ndarray, given: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return precision, recall and F1 from the texts of each label that were right, have it and were given it."""
    return _divide(right, given), _divide(right, have), _divide(2 * right, have + given)


def _divide(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    return np.divide(part, whole, out=np.zeros(whole.shape), where=whole > 0)


@dataclass(frozen=True)
class _Drawn:
    accuracy_R: np.ndarray
    f1_RC: np.ndarray


def _draw(confusion_CC: np.ndarray, resamples: int, seed: int) -> _Drawn:
    """Return the scores of resamples.

    Drawing texts with replacement and counting them is drawing the cells of the confusion matrix from a multinomial
    distribution, which takes no time that grows with the number of texts.
    """
    expected, predicted = confusion_CC.nonzero()
    count = int(confusion_CC.sum())
    cells = confusion_CC[expected, predicted]
    drawn_RX = np.random.default_rng(seed).multinomial(count, cells / count, size=resamples).astype(np.float64)
    has_XC, given_XC = (np.eye(len(confusion_CC))[labels] for labels in (expected, predicted))
    right_RC = drawn_RX @ (has_XC * given_XC)
    _, _, f1_RC = _ratios(right_RC, drawn_RX @ has_XC, drawn_RX @ given_XC)
    return _Drawn(right_RC.sum(axis=1) / count, f1_RC)


def _log_loss(probabilities_NC: np.ndarray, expected_N: np.ndarray) -> float:
    right_N = probabilities_NC[np.arange(len(expected_N)), expected_N]
    # A probability of 0 for what is right would make the mean infinite; scikit-learn draws the line at the same place.
    return float(-np.log(np.maximum(right_N, np.finfo(np.float64).eps)).mean())


def _check(probabilities_NC: np.ndarray, expected_N: np.ndarray, names: Sequence[str]) -> None:
    if len(expected_N) == 0:
        raise DataError("There are 0 texts to score. Give at least one.")
    if probabilities_NC.shape != (len(expected_N), len(names)):
        raise DataError(
            f"The probabilities are {probabilities_NC.shape}, for {len(expected_N)} texts and {len(names)} labels. "
            f"Give one row for each text and one column for each label."
        )
    if not 0 <= expected_N.min() <= expected_N.max() < len(names):
        raise DataError(
            f"The labels of the texts run from {expected_N.min()} to {expected_N.max()}. Use 0 to {len(names) - 1}."
        )
    proper_N = (np.abs(probabilities_NC.sum(axis=1) - 1) < 1e-3) & (probabilities_NC >= 0).all(axis=1)
    if not proper_N.all():
        first = int(proper_N.argmin())
        raise DataError(
            f"The probabilities of text {first} are {probabilities_NC[first].tolist()[:8]}. "
            f"Give numbers from 0 to 1 that add up to 1, not logits."
        )
