"""From a classifier's outputs to scores, for labels and for numbers: brief ones in training, whole ones at the end."""

from typing import cast

import numpy as np

from heed.tasks import classification_scores, number_scores
from heed.tasks.classification_scores import ClassificationScores
from heed.tasks.number_scores import NumberScores
from heed.tasks.targets import Classes, Scale, Targets

LabelledScores = ClassificationScores | NumberScores


def probabilities_of(outputs_NC: np.ndarray) -> np.ndarray:
    """Return the probability (N, C) of each label."""
    shifted_NC = outputs_NC.astype(np.float64) - outputs_NC.max(axis=1, keepdims=True)
    weights_NC = np.exp(shifted_NC)
    return cast(np.ndarray, weights_NC / weights_NC.sum(axis=1, keepdims=True))


def score_outputs(targets: Targets, outputs_NC: np.ndarray, expected_N: np.ndarray) -> LabelledScores:
    """Return all scores with their intervals; `expected_N` is what `targets.encode` gave."""
    match targets:
        case Classes(labels):
            return classification_scores.score(probabilities_of(outputs_NC), expected_N, labels.names)
        case Scale():
            return number_scores.score(targets.decode(outputs_NC[:, 0]), targets.decode(expected_N))


def brief_scores(targets: Targets, outputs_NC: np.ndarray, expected_N: np.ndarray) -> tuple[dict[str, float], float]:
    """Return what is measured at a validation, and the one of them that chooses the best weights."""
    if isinstance(targets, Classes):
        probabilities_NC = probabilities_of(outputs_NC)
        chosen_N = probabilities_NC[np.arange(len(expected_N)), expected_N]
        accuracy = float((probabilities_NC.argmax(axis=1) == expected_N).mean())
        loss = float(-np.log(np.maximum(chosen_N, 1e-12)).mean())
        return {"accuracy": accuracy, "loss": loss}, accuracy
    pairs_N2 = np.stack([outputs_NC[:, 0], expected_N], axis=1).astype(np.float64)
    spearman = number_scores.spearman_of_pairs(pairs_N2)
    return {"spearman": spearman, "loss": float(((pairs_N2[:, 0] - pairs_N2[:, 1]) ** 2).mean())}, spearman


def headline(scores: LabelledScores) -> tuple[float, dict[str, float]]:
    """Return what models are ranked by, and the scores that stand beside it."""
    if isinstance(scores, ClassificationScores):
        positive = {} if scores.positive is None else {"positive_f1": scores.positive.f1}
        return scores.accuracy, {
            "accuracy": scores.accuracy,
            "macro_f1": scores.macro_f1,
            **positive,
            "log_loss": scores.log_loss,
            "calibration_error": scores.calibration_error,
        }
    return scores.spearman, {
        "spearman": scores.spearman,
        "pearson": scores.pearson,
        "mean_squared_error": scores.mean_squared_error,
    }


def example_statistics(targets: Targets, outputs_NC: np.ndarray, expected_N: np.ndarray) -> np.ndarray:
    """Return what each example adds to the headline: (N, 1) whether it is right, or (N, 2) both numbers."""
    if isinstance(targets, Classes):
        return cast(np.ndarray, (outputs_NC.argmax(axis=1) == expected_N)[:, None].astype(np.float64))
    return np.stack([outputs_NC[:, 0], expected_N], axis=1).astype(np.float64)


def shown(targets: Targets, outputs_C: np.ndarray) -> str:
    """Return what a model says of one text, for a person to read."""
    if isinstance(targets, Scale):
        return f"{targets.decode(outputs_C)[0]:.3g}"
    probabilities_C = probabilities_of(outputs_C[None])[0]
    best = int(probabilities_C.argmax())
    return f"{targets.labels.names[best]} ({probabilities_C[best]:.0%})"
