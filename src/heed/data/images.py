"""`read_images`: labelled pictures from a folder with a sub-folder a class, or from a table of paths and labels.

No picture is opened here: a folder is known by the suffixes of its files, a table by its paths. What is passed over, or
left out because a path or label is empty, is counted: `ImageFile` shows all that was done.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from heed.data.group_column import refuse_group
from heed.data.labelled import read_labelled_table
from heed.data.labelled_columns import LABEL_NAMES, refuse_too_many
from heed.data.picture_paths import PATH_NAMES, picture_at
from heed.data.reading_notes import FIRST_PLACES
from heed.data.record_keys import composed
from heed.data.records import LabelledImage
from heed.data.table_kinds import TableKind
from heed.data.task_columns import TASK_COLUMNS
from heed.errors import DataError, UsageError
from heed.files.opening import open_input
from heed.files.quoting import first_of, quote
from heed.files.tables import TABLE_SUFFIXES, is_table
from heed.files.walking import list_folders, walk_files

PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff")
PICTURES = TableKind(TASK_COLUMNS["image"], "path, label", "path and label", tuple(product(PATH_NAMES, LABEL_NAMES)))
SHOWN = 10  # classes that a sentence names


@dataclass(frozen=True)
class ImageFile:
    """The labelled pictures of one table or folder, and what was done to get them."""

    records: tuple[LabelledImage, ...]
    empty: int  # rows that were left out because the path or the label was empty
    empty_places: tuple[str, ...]  # "path:line" of the first of them
    columns: str  # a sentence: which columns, or which folders, became path and label
    others: int = 0  # files of a folder that are no pictures, or in no class
    other_places: tuple[str, ...] = ()  # paths of the first of them


def read_images(paths: Sequence[Path], columns: Sequence[str] | None = None, group: str | None = None) -> ImageFile:
    """Read one folder of classes or one table; `columns` names the path and the label of a table, `group` a third."""
    match [Path(path) for path in paths]:
        case [table] if is_table(table):
            return _from_table(table, columns, group)
        case [folder] if folder.is_dir():
            refuse_group(group, f"{folder}, a folder,")
            return _from_folder(folder, columns)
        case others:
            for path in others:
                with open_input(path):  # a name that is mistyped is the first thing to be told
                    pass
            raise UsageError(_wrong_paths(others))


def is_picture(path: Path) -> bool:
    """Tell by the suffix, in any case, whether the file is a picture; a pipe or a link to nothing is none."""
    return path.suffix.lower() in PICTURE_SUFFIXES and path.is_file()


def _from_table(path: Path, columns: Sequence[str] | None, group: str | None) -> ImageFile:
    table = read_labelled_table(path, columns, PICTURES, group)
    records = (
        LabelledImage(picture_at(path.parent, record.texts[0], record.place), record.label, record.place, record.group)
        for record in table.records
    )
    return ImageFile(tuple(records), table.empty, table.empty_places, table.columns)


def _from_folder(folder: Path, columns: Sequence[str] | None) -> ImageFile:
    if columns is not None:
        raise UsageError(f"Columns ({', '.join(columns)}) are for tables; {folder} is a folder. Leave them out.")
    classes = list_folders(folder)
    refuse_too_many(folder, len(classes), "pictures")
    records: list[LabelledImage] = []
    others, places = 0, []
    for path in walk_files(folder):
        inside = path.relative_to(folder).parts
        if len(inside) > 1 and is_picture(path):
            records.append(LabelledImage(path, composed(inside[0].strip()), str(path)))
        else:
            others += 1
            if others <= FIRST_PLACES:
                places.append(str(path))
    _refuse_empty(folder, classes, records, others)
    shown = first_of([quote(name, 30) for name in sorted({record.label for record in records})], SHOWN)
    sentence = f"{len(records):,} pictures of {folder}; the label is the name of the sub-folder: {shown}"
    return ImageFile(tuple(records), 0, (), sentence, others, tuple(places))


def _refuse_empty(folder: Path, classes: Sequence[Path], records: Sequence[LabelledImage], others: int) -> None:
    if not classes:
        raise DataError(
            f"{folder} holds no folders (but {others:,} files). Make a sub-folder for each class with its pictures in "
            f"it, or give a table ({', '.join(TABLE_SUFFIXES)}) of {PICTURES.nouns}."
        )
    filled = {record.label for record in records}
    for each in classes:
        if composed(each.name.strip()) not in filled:
            raise DataError(
                f"{each}: this folder of a class holds no picture. Put pictures there ({', '.join(PICTURE_SUFFIXES)}), "
                f"or remove the folder."
            )


def _wrong_paths(paths: Sequence[Path]) -> str:
    ways = f"Give a folder with a sub-folder for each class, or one table ({', '.join(TABLE_SUFFIXES)})."
    if not paths:
        return f"No data is given. {ways}"
    if len(paths) == 1:
        return f"{paths[0]} is no folder and no table, for its suffix is not that of one. {ways}"
    return f"{len(paths)} paths ({', '.join(map(str, paths[:5]))}) are not one set of labelled pictures. {ways}"
