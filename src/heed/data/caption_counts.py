"""How many captions the pictures have, and which captions stand more than once."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from heed.data.records import CaptionedImage

EXAMPLES = 10


@dataclass(frozen=True)
class CaptionCounts:
    """How much there is in a split."""

    pictures: int
    captions: int


@dataclass(frozen=True)
class CommonCaption:
    """A caption that several pictures have."""

    caption: str
    pictures: int


@dataclass(frozen=True)
class CaptionRepeats:
    """Captions that stand more than once, compared without regard to case and white space."""

    shared: int  # different captions that several pictures have
    pictures: int  # pictures with one or more of these
    common: tuple[CommonCaption, ...]  # the commonest of them
    twice: int  # pictures that have one caption twice
    twice_places: tuple[str, ...]  # of the first


def count_captions(records: Sequence[CaptionedImage]) -> CaptionCounts:
    """Return how many pictures and captions there are."""
    return CaptionCounts(len(records), sum(len(record.captions) for record in records))


def captions_each(records: Sequence[CaptionedImage]) -> dict[int, int]:
    """Return how many pictures have one caption, two, and so on, in that order."""
    return dict(sorted(Counter(len(record.captions) for record in records).items()))


def find_caption_repeats(records: Sequence[CaptionedImage]) -> CaptionRepeats:
    """Count captions that stand with several pictures, or twice with one."""
    counts: Counter[str] = Counter()
    spelled: dict[str, str] = {}
    twice: list[str] = []
    for record in records:
        folded = {_folded(caption): caption for caption in record.captions}
        if len(folded) < len(record.captions):
            twice.append(record.place)
        counts.update(folded.keys())
        for key, caption in folded.items():
            spelled.setdefault(key, caption)
    shared = {key for key, count in counts.items() if count > 1}
    return CaptionRepeats(
        shared=len(shared),
        pictures=sum(any(_folded(caption) in shared for caption in record.captions) for record in records),
        common=tuple(CommonCaption(spelled[key], count) for key, count in counts.most_common(EXAMPLES) if count > 1),
        twice=len(twice),
        twice_places=tuple(twice[:EXAMPLES]),
    )


def _folded(caption: str) -> str:
    return " ".join(caption.casefold().split())
