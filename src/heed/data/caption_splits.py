"""`CaptionSplits`: pictures with captions to train on, to choose by, to be scored on; `split_captions` deals them."""

from collections.abc import Sequence
from dataclasses import dataclass

from heed.data.captions import UnknownPicture
from heed.data.dealing import GROUPED, Inputs, Shares, SplitRule, grouped_by, split_records
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
    records: Sequence[CaptionedImage], valid_share: float = 0.1, test_share: float = 0.1, rule: SplitRule = GROUPED
) -> CaptionSplits:
    """Split captioned images into training, validation and test set; the same bytes stay on one side."""
    keys = image_keys(record.source for record in records)
    contents = Inputs[CaptionedImage](
        lambda record: keys[record.source], lambda record: (keys[record.source],), "pictures", "contents", "the file"
    )
    dealt = split_records(records, grouped_by(contents, rule), Shares(valid_share, test_share), rule)
    return CaptionSplits(dealt.parts.train, dealt.parts.valid, dealt.parts.test, "", dealt.note)
