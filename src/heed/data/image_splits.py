"""`ImageSplits`: labelled pictures to train on, to choose by and to be scored on; `split_images` deals one set."""

from collections.abc import Sequence
from dataclasses import dataclass

from heed.data.dealing import GROUPED, Inputs, Shares, SplitRule, grouped_by
from heed.data.image_keys import image_keys
from heed.data.labelled_splits import deal_labelled
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


def split_images(
    records: Sequence[LabelledImage], valid_share: float = 0.1, test_share: float = 0.1, rule: SplitRule = GROUPED
) -> ImageSplits:
    """Split images into training, validation and test set; the same bytes stay on one side, whatever their labels.

    Those with a label that train lacks are moved there.
    """
    keys = image_keys(record.source for record in records)
    contents = Inputs[LabelledImage](
        lambda record: keys[record.source], lambda record: (keys[record.source],), "pictures", "contents", "the file"
    )
    dealt = deal_labelled(records, grouped_by(contents, rule), Shares(valid_share, test_share), rule)
    return ImageSplits(dealt.parts.train, dealt.parts.valid, dealt.parts.test, "", dealt.note)
