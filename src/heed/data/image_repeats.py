"""`find_image_repeats`: pictures that stand twice, by the bytes of their files; alike are those that look the same."""

from collections.abc import Sequence

from heed.data.image_survey import Look
from heed.data.labelled_repeats import Entry, LabelledRepeats, repeats_among


def find_image_repeats(
    looks: Sequence[Look], labels: Sequence[str], places: Sequence[str], train: int, valid: int
) -> LabelledRepeats:
    """Count what stands twice; of the pictures, `train` are the first so many, `valid` the next, and test the rest."""
    entries = [
        Entry((look.stored,), (look.seen,), label, place)
        for look, label, place in zip(looks, labels, places, strict=True)
    ]
    return repeats_among(entries[:train], entries[train : train + valid], entries[train + valid :])
