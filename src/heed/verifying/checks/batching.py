"""Padded = one by one: what a model says of an example never depends on its companions or on padding."""

from heed.prediction.classifier import Classifier
from heed.verifying.checking import IN_64_BITS, Check
from heed.verifying.examples import read, together
from heed.verifying.findings import Difference, Measured, Tolerance, Unfit, apart
from heed.verifying.subject import CASES, Subject

TEXTS = Tolerance(1e-6, "sums of 32-bit numbers in another order")


def compare(subject: Subject) -> Measured | Unfit:
    """Compare examples of many lengths in one batch with each of them alone."""
    if isinstance(subject.predictor, Classifier) and not subject.learns_in_steps:
        return _counted(subject, subject.predictor)
    if not subject.learns_in_steps:
        return Unfit("each word is looked up by itself: there are no batches")
    batch = together(subject.calm_task, [example.row for example in subject.examples])
    padded = read(subject.exact, batch)
    differences = [
        Difference(example.place, apart(own, read(subject.exact, example.batch)[0]))
        for example, own in zip(subject.examples, padded, strict=True)
    ]
    return Measured(differences, IN_64_BITS)


def _counted(subject: Subject, classifier: Classifier) -> Measured:
    texts = list(subject.material.texts[:CASES])
    outputs = classifier.reader.read(texts).outputs
    alone = [classifier.reader.read([text]).outputs[0] for text in texts]
    sizes = [float(abs(own - other).max()) for own, other in zip(outputs, alone, strict=True)]
    return Measured([Difference(f"{text}"[:60], size) for text, size in zip(texts, sizes, strict=True)], TEXTS)


# Padding stands at the end: a text that sees what comes later sees padding too, and that is told once.
CHECK = Check(
    "batching",
    "an example in a padded batch = the same example alone",
    compare,
    needs=("determinism", "causality"),
)
