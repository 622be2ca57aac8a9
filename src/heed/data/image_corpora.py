"""`load_images`: the words after a command (`demo:NAME`, or paths) as train, valid and test pictures with labels."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path

from heed.data.dealing import GROUPED, SplitRule
from heed.data.demo_words import demo_name, names_demo
from heed.data.demos import IMAGE_DEMOS, load_image_demo
from heed.data.image_splits import ImageSplits, split_images
from heed.data.images import ImageFile, read_images
from heed.data.labelled_splits import check_labels
from heed.data.leaks import group_notes
from heed.data.reading_notes import FIRST_PLACES, count_empty, first_empty, note_of, origin_of
from heed.data.split_folders import SplitFolders, find_split_folders
from heed.errors import DataError
from heed.files.walking import list_folders


def load_images(
    data: Sequence[str],
    valid: Sequence[str] = (),
    test: Sequence[str] = (),
    columns: Sequence[str] | None = None,
    rule: SplitRule = GROUPED,
) -> ImageSplits:
    """Return the pictures of a demo, of folders or of tables; what has no side of its own for validation is split.

    A folder with `train` and `val` (or `test`) in it is divided as it stands. With `valid` and without `test`, nothing
    is left to be scored on, for the user has said how to divide the data.
    """
    if names_demo(data):
        return load_image_demo(demo_name([*data, *valid, *test], columns is not None, IMAGE_DEMOS, rule.group))
    folders = find_split_folders(data, valid, test)
    sides = [data, valid, test] if folders is None else _words(folders)
    files = [read_images(list(map(Path, words)), columns, rule.group) for words in (sides[0], *filter(None, sides[1:]))]
    divided = _described(_divide(files, bool(sides[1]), bool(sides[2]), rule), files, folders)
    splits = dataclasses.replace(divided, origin=origin_of(data, valid, test))
    _refuse_one_folder(splits, sides[0])
    check_labels(splits)
    return splits


def _words(folders: SplitFolders) -> list[Sequence[str]]:
    return [[str(side)] if side else [] for side in (folders.train, folders.valid, folders.test)]


def _divide(files: Sequence[ImageFile], has_valid: bool, has_test: bool, rule: SplitRule) -> ImageSplits:
    train, test = files[0].records, files[-1].records if has_test else ()
    if has_valid:
        return ImageSplits(train, files[1].records, test, origin="", note="")
    if has_test:
        return dataclasses.replace(split_images(train, test_share=0.0, rule=rule), test=test)
    return split_images(train, rule=rule)


def _described(splits: ImageSplits, files: Sequence[ImageFile], folders: SplitFolders | None) -> ImageSplits:
    beside = [str(path) for path in folders.others] if folders else []
    others = sum(file.others for file in files) + len(beside)
    places = [*(place for file in files for place in file.other_places), *beside][:FIRST_PLACES]
    passed_over = f"Passed over {others:,} that are no pictures of a class, such as {places[0]}." if others else ""
    read = note_of(files, splits.note, "row(s) without path or label")
    return dataclasses.replace(
        splits,
        note=" ".join(filter(None, [read, folders.note if folders else "", passed_over, *group_notes(splits)])),
        empty=count_empty(files),
        empty_places=first_empty(files),
        others=others,
        other_places=tuple(places),
    )


def _refuse_one_folder(splits: ImageSplits, words: Sequence[str]) -> None:
    """Refuse a folder one above that of the classes, which would be one class alone."""
    folder = Path(words[0])
    inner = list_folders(folder) if folder.is_dir() else []
    if len(inner) == 1 and list_folders(inner[0]):
        raise DataError(
            f"{folder} holds one folder, {inner[0].name}, and so all {len(splits.train):,} training pictures would "
            f"have that label. Are the folders in it the classes? Then give {inner[0]}."
        )
