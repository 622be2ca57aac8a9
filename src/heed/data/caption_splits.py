"""`CaptionSplits`: pictures with captions to train on, to choose by, to be scored on; `split_captions` deals them."""

from collections.abc import Sequence
from dataclasses import dataclass

from heed.data.captions import UnknownPicture
from heed.data.dealing import Shares, deal, how_dealt
from heed.data.image_keys import image_keys
from heed.data.records import CaptionedImage


@dataclass(frozen=True)
class CaptionSplits:
    """Captioned pictures to train on, to choose by and to be scored on, and where they come from."""

    train: Sequence[CaptionedImage]
    valid: Sequence[CaptionedImage]
    test: Sequence[CaptionedImage]
    origin: str  # the files, or the demo
    note: str  # sentences for the user: which columns, how it was split, what was left out
    empty: int = 0  # rows that were left out because the path or the caption was empty
    empty_places: tuple[str, ...] = ()  # "path:line" of the first of them
    unknown: tuple[UnknownPicture, ...] = ()  # pictures that were left out because they are not there


def split_captions(
    records: Sequence[CaptionedImage], valid_share: float = 0.1, test_share: float = 0.1
) -> CaptionSplits:
    """Deal pictures by the hash of their bytes alone: none stands on two sides, by whatever names."""
    shares, keys = Shares(valid_share, test_share), image_keys(record.source for record in records)
    parts = deal(records, lambda record: keys[record.source], shares, ("pictures", "contents"))
    return CaptionSplits(parts.train, parts.valid, parts.test, "", how_dealt(parts, "the file", "pictures", shares))
