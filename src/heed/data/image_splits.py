"""`ImageSplits`: labelled pictures to train on, to choose by and to be scored on; `split_images` deals one set."""

from collections.abc import Sequence
from dataclasses import dataclass

from heed.data.dealing import Shares
from heed.data.image_keys import image_keys
from heed.data.labelled_splits import KeyNames, deal_labelled
from heed.data.records import LabelledImage


@dataclass(frozen=True)
class ImageSplits:
    """Labelled pictures to train on, to choose by and to be scored on, and where they come from."""

    train: Sequence[LabelledImage]
    valid: Sequence[LabelledImage]
    test: Sequence[LabelledImage]
    origin: str  # the folders or files, or the demo
    note: str  # sentences for the user: what was read, how it was split, what was left out
    empty: int = 0  # rows that were left out because the path or the label was empty
    empty_places: tuple[str, ...] = ()  # "path:line" of the first of them
    others: int = 0  # files of a folder that were passed over: no pictures, or in no class
    other_places: tuple[str, ...] = ()  # paths of the first of them


def split_images(records: Sequence[LabelledImage], valid_share: float = 0.1, test_share: float = 0.1) -> ImageSplits:
    """Deal pictures by the hash of their bytes alone: none stands on two sides, by whatever names and labels.

    Those with a label that train lacks are moved there.
    """
    keys = image_keys(record.source for record in records)
    names = KeyNames("pictures", "contents", "the file")
    dealt = deal_labelled(records, lambda record: keys[record.source], Shares(valid_share, test_share), names)
    return ImageSplits(dealt.parts.train, dealt.parts.valid, dealt.parts.test, "", dealt.note)
