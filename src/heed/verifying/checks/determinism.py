"""Twice the same: a model in use draws nothing, and every part of it knows that it is in use."""

import numpy
import torch

from heed.prediction.classifier import Classifier
from heed.prediction.word_vectors import WordVectors
from heed.verifying.checking import SAME_BITS, Check
from heed.verifying.examples import read
from heed.verifying.findings import Difference, Measured, Unfit, apart
from heed.verifying.subject import Subject

WORDS = 8  # that are asked for their neighbours


def compare(subject: Subject) -> Measured | Unfit:
    """Compare what a model says with what it says when it is asked again."""
    match subject.predictor:
        case WordVectors() as vectors:
            return Measured([_asked_twice(vectors, word) for word in vectors.space.words[:WORDS]], SAME_BITS)
        case Classifier() as classifier if not subject.learns_in_steps:
            texts = subject.material.texts
            first, second = (classifier.reader.read(texts).outputs for _ in range(2))
            size = float(numpy.abs(first - second).max(initial=0.0))
            return Measured([Difference(f"{len(texts)} texts", size)], SAME_BITS)
    return _network(subject)


def _network(subject: Subject) -> Measured:
    model = subject.model
    assert model is not None, "what learns in steps is a network"
    learning = [name or "the model" for name, module in model.named_modules() if module.training]
    modes = Difference(f"{', '.join(learning[:3])} still in training mode", float(len(learning)))
    differences = [modes]
    for example in subject.examples:
        (first,), (second,) = read(model, example.batch), read(model, example.batch)
        size = apart(second, first)
        differences.append(Difference(example.place, size if torch.isfinite(first).all() else float("nan")))
    return Measured(differences, SAME_BITS)


def _asked_twice(vectors: WordVectors, word: str) -> Difference:
    return Difference(word, float(vectors.nearest(word) != vectors.nearest(word)))


CHECK = Check("determinism", "asked twice, the model says the same", compare)
