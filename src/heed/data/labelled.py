"""`read_labelled`: labelled texts from a table (`.tsv`, `.csv`, `.jsonl`) or from a folder with a sub-folder a label.

White space around each text and label is removed; labels are composed (NFC), so that no two look alike. A record
without text or label teaches nothing and is left out, but it is counted: `LabelledFile` shows all that was done.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from heed.data.group_column import checked_group, group_of, refuse_group, with_group
from heed.data.labelled_columns import (
    ONE_TEXT,
    TWO_TEXTS,
    find_labelled_columns,
    refuse_too_many,
    refuse_unlikely,
)
from heed.data.reading_notes import FIRST_PLACES
from heed.data.record_keys import composed
from heed.data.records import LabelledText
from heed.data.table_kinds import TableKind
from heed.errors import DataError, UsageError
from heed.files.documents import list_folder, read_document
from heed.files.opening import open_input
from heed.files.quoting import first_of, quote
from heed.files.tables import TABLE_SUFFIXES, is_table, read_rows

LONGEST_LABEL = 200  # characters; longer is a text


@dataclass(frozen=True)
class LabelledFile:
    """The labelled texts of one table or folder, and what was done to get them."""

    records: tuple[LabelledText, ...]
    empty: int  # records that were left out because a text or the label was empty
    empty_places: tuple[str, ...]  # "path:line" of the first of them
    columns: str  # a sentence: which columns, or which folders, became text and label


def read_labelled(
    paths: Sequence[Path], columns: Sequence[str] | None = None, texts: int = 1, group: str | None = None
) -> LabelledFile:
    """Read one table or folder; `columns` names the text (or with `texts=2` both texts) and the label of a table.

    `group` names one more column, of what a split keeps together.
    """
    match [Path(path) for path in paths]:
        case [table] if is_table(table):
            return read_labelled_table(table, columns, ONE_TEXT if texts == 1 else TWO_TEXTS, group)
        case [folder] if folder.is_dir() and texts == 1:
            refuse_group(group, f"{folder}, a folder,")
            return _from_folder(folder, columns)
        case others:
            for path in others:
                with open_input(path):  # a name that is mistyped is the first thing to be told
                    pass
            raise UsageError(_wrong_paths(others, texts))


def read_labelled_table(
    path: Path, columns: Sequence[str] | None, kind: TableKind, group: str | None = None
) -> LabelledFile:
    """Read a table of that kind; what is labelled need not be a text: of a picture it is the path."""
    chosen = find_labelled_columns(path, columns, kind)
    *text_names, label_name = chosen.names
    grouped = with_group(path, chosen, group)
    records = (
        LabelledText(
            tuple(row.values[name] for name in text_names), row.values[label_name], row.place, group_of(row, group)
        )
        for row in read_rows(path, grouped)
    )
    file = _collect(records, grouped.sentence, path, kind)
    refuse_unlikely(path, kind, chosen, columns is not None, file.records)
    return file


def _from_folder(folder: Path, columns: Sequence[str] | None) -> LabelledFile:
    if columns is not None:
        raise UsageError(f"Columns ({', '.join(columns)}) are for tables; {folder} is a folder. Leave them out.")
    listed = list_folder(folder)
    labels = [path for path in listed if path.is_dir()]
    if not labels:
        raise DataError(
            f"{folder} holds no folders (but {len(listed):,} other files). Make a sub-folder for each label, with its "
            f"texts as .txt files in it; or give a table ({', '.join(TABLE_SUFFIXES)})."
        )
    refuse_too_many(folder, len(labels), "texts")
    documents = {label: _documents(label) for label in labels}
    shown = first_of([quote(label.name) for label in labels], 10)
    count = sum(map(len, documents.values()))
    sentence = f"{count:,} .txt files of {folder}, a text each; the label is the name of the sub-folder: {shown}"
    return _collect(_labelled_documents(documents), sentence, folder, ONE_TEXT)


def _documents(label: Path) -> list[Path]:
    listed = list_folder(label)
    documents = [path for path in listed if path.suffix.lower() == ".txt" and path.is_file()]
    if not documents:
        deeper = next((path for path in listed if path.is_dir()), None)
        hint = f"Are its folders the labels? Then give {label}." if deeper else "Put texts there, or remove the folder."
        raise DataError(f"{label}: this folder of a label holds no .txt file ({len(listed):,} other names). {hint}")
    return documents


def _labelled_documents(documents: dict[Path, list[Path]]) -> Iterator[LabelledText]:
    for label, paths in documents.items():
        for path in paths:
            yield LabelledText((read_document(path),), label.name, str(path))


def _collect(records: Iterable[LabelledText], columns: str, path: Path, kind: TableKind) -> LabelledFile:
    full: list[LabelledText] = []
    empty, places = 0, []
    for record in records:
        texts, label = tuple(text.strip() for text in record.texts), composed(record.label.strip())
        if all(texts) and label:
            _refuse_long(record.place, label, kind)
            full.append(LabelledText(texts, label, record.place, checked_group(record.place, record.group)))
        else:
            empty += 1
            if empty <= FIRST_PLACES:
                places.append(record.place)
    if not full:
        found = f"all {empty:,} lack one (the first at {places[0]})" if empty else "it is empty"
        raise DataError(f"{path}: no record has both {kind.nouns}: {found}. Give data with both.")
    return LabelledFile(tuple(full), empty, tuple(places), columns)


def _refuse_long(place: str, label: str, kind: TableKind) -> None:
    if len(label) > LONGEST_LABEL:
        raise DataError(
            f"{place}: the label {quote(label)} has {len(label):,} characters; at most {LONGEST_LABEL} are read. "
            f"This looks like a text: name the columns in the order of {kind.option} with --columns."
        )


def _wrong_paths(paths: Sequence[Path], texts: int) -> str:
    folders = ", or a folder with a sub-folder for each label" if texts == 1 else ""
    ways = f"Give one table ({', '.join(TABLE_SUFFIXES)}){folders}."
    if not paths:
        return f"No data is given. {ways}"
    if len(paths) == 1:
        return f"{paths[0]} is no table, for its suffix is not that of one. {ways}"
    return f"{len(paths)} files ({', '.join(map(str, paths[:5]))}) are not one set of labelled texts. {ways}"
