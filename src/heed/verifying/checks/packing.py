"""Packed = plain: weights laid out for prediction give what the plain products of 64 bits give."""

from heed.verifying.checking import Check
from heed.verifying.examples import read, together
from heed.verifying.findings import Difference, Measured, Tolerance, Unfit, apart
from heed.verifying.subject import Subject

TOLERANCE = Tolerance(1e-4, "32 against 64 bits, through all layers, against the largest number")


def compare(subject: Subject) -> Measured | Unfit:
    """Compare the model as it predicts, alone (few rows) and in a batch (many), with plain products of 64 bits."""
    if not subject.learns_in_steps or subject.model is None:
        return Unfit("the model has no products to lay out")
    batch = together(subject.calm_task, [example.row for example in subject.examples])
    pairs = zip(subject.examples, read(subject.model, batch), read(subject.exact, batch), strict=True)
    differences = [Difference(f"{example.place} in a batch", apart(own, plain)) for example, own, plain in pairs]
    for example in subject.examples:
        (own,), (plain,) = read(subject.model, example.batch), read(subject.exact, example.batch)
        differences.append(Difference(f"{example.place} alone", apart(own, plain)))
    return Measured(differences, TOLERANCE)


CHECK = Check("packing", "weights packed for prediction = plain weights", compare, needs=("determinism",))
