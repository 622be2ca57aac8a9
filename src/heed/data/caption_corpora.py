"""`load_captions`: the words after a command (`demo:NAME`, or paths) as train, valid and test captioned pictures."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path

from heed.data.caption_splits import CaptionSplits, split_captions
from heed.data.captions import CaptionFile, UnknownPicture, read_captions
from heed.data.dealing import GROUPED, SplitRule
from heed.data.demo_words import demo_name, names_demo
from heed.data.demos import CAPTION_DEMOS, load_caption_demo
from heed.data.flickr_sides import divide_as_listed, find_lists
from heed.data.leaks import group_notes
from heed.data.reading_notes import count_empty, first_empty, note_of, origin_of
from heed.data.records import CaptionedImage
from heed.errors import UsageError
from heed.files.quoting import quote

Records = Sequence[CaptionedImage]


def load_captions(
    data: Sequence[str],
    valid: Sequence[str] = (),
    test: Sequence[str] = (),
    columns: Sequence[str] | None = None,
    rule: SplitRule = GROUPED,
    *,
    keep_going: bool = False,
) -> CaptionSplits:
    """Return the pictures of a demo or of files; what has no file of its own for validation is split by hash.

    The lists of Flickr8k divide it where they stand beside it. With `valid` and without `test`, nothing is left to be
    scored on. With `keep_going`, pictures that are not there are left out and listed; without it a table that names one
    is refused.
    """
    if names_demo(data):
        return load_caption_demo(demo_name([*data, *valid, *test], columns is not None, CAPTION_DEMOS, rule.group))
    lists = find_lists(Path(data[0])) if len(data) == 1 else {}
    if lists and (valid or test):
        raise UsageError(
            f"{lists['train']} divides the data, but {' '.join([*valid, *test])} is given as well. Leave one out."
        )
    given = [data, *(words for words in (valid, test) if words)]
    files = [read_captions(list(map(Path, words)), columns, rule.group, keep_going=keep_going) for words in given]
    if lists:
        listed = divide_as_listed(files[0], lists)
        sides = [listed.sides.get(side, ()) for side in ("train", "valid", "test")]
        splits = _divide(sides[0], sides[1], sides[2], rule)
        splits = dataclasses.replace(splits, note=" ".join(filter(None, [listed.note, splits.note])))
    else:
        splits = _divide(files[0].records, files[1].records if valid else (), files[-1].records if test else (), rule)
    return _described(splits, files, origin_of(data, valid, test))


def _divide(train: Records, valid: Records, test: Records, rule: SplitRule) -> CaptionSplits:
    if valid:
        return CaptionSplits(train, valid, test, origin="", note="")
    if test:
        return dataclasses.replace(split_captions(train, test_share=0.0, rule=rule), test=test)
    return split_captions(train, rule=rule)


def _described(splits: CaptionSplits, files: Sequence[CaptionFile], origin: str) -> CaptionSplits:
    unknown = tuple(picture for file in files for picture in file.unknown)
    note = note_of(files, splits.note, "row(s) without path or caption")
    return dataclasses.replace(
        splits,
        origin=origin,
        note=" ".join(filter(None, [note, _unknown_note(unknown), *group_notes(splits)])),
        empty=count_empty(files),
        empty_places=first_empty(files),
        unknown=unknown,
    )


def _unknown_note(unknown: Sequence[UnknownPicture]) -> str:
    if not unknown:
        return ""
    first = f"{quote(unknown[0].name, 200)} at {unknown[0].place}"
    return f"Left out {len(unknown):,} picture(s) that have captions and are not there, the first {first}."
