"""`read_captions`: pictures and what people said of them, from a table of paths and captions or from Flickr8k.

Rows of one path are several captions of one picture. White space around a caption is removed, and it is composed (NFC);
what is empty is left out and counted. No picture is opened here, but each must be there: a table that names another is
refused. Flickr8k itself has captions of a picture that it does not have, so there they are left out and counted, and so
they are with `keep_going`, for a report.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from heed.data.group_column import checked_group, group_of, refuse_group, with_group
from heed.data.picture_paths import PATH_NAMES, why_no_file
from heed.data.reading_notes import FIRST_PLACES
from heed.data.record_keys import composed
from heed.data.records import CaptionedImage
from heed.data.table_kinds import TableKind, choose_columns
from heed.data.task_columns import TASK_COLUMNS
from heed.errors import DataError, UsageError
from heed.files.columns import Columns, columns_option
from heed.files.flickr import read_tokens
from heed.files.opening import open_input
from heed.files.quoting import quote
from heed.files.tables import TABLE_SUFFIXES, is_table, read_rows

CAPTION_NAMES = ("caption", "captions", "description", "sentence", "text", "comment", "raw", "title")
CAPTIONS = TableKind(
    TASK_COLUMNS["caption"], "path, caption", "path and caption", tuple(product(PATH_NAMES, CAPTION_NAMES))
)
# Where the pictures of Flickr8k are unpacked, spelled as its makers do and as others do.
PICTURE_FOLDERS = ("Images", "images", "Flicker8k_Dataset", "Flickr8k_Dataset")


@dataclass(frozen=True)
class UnknownPicture:
    """A picture that has captions and is not there."""

    place: str  # "path:line" of its first caption
    name: str
    reason: str


@dataclass(frozen=True)
class CaptionFile:
    """The captioned pictures of one file, and what was done to get them."""

    records: tuple[CaptionedImage, ...]  # in the order in which the file first names them
    empty: int  # rows that were left out because the path or the caption was empty
    empty_places: tuple[str, ...]  # "path:line" of the first of them
    columns: str  # a sentence: which columns became path and caption
    unknown: tuple[UnknownPicture, ...] = ()  # pictures that were left out because they are not there


def read_captions(
    paths: Sequence[Path],
    columns: Sequence[str] | None = None,
    group: str | None = None,
    *,
    keep_going: bool = False,
) -> CaptionFile:
    """Read one table, or one token file of Flickr8k.

    `columns` names the path and the caption of a table, `group` a third column, of which all rows of one image must
    have the same value.
    """
    match [Path(path) for path in paths]:
        case [table] if is_table(table):
            return _from_table(table, columns, group, keep_going)
        case [tokens] if not tokens.is_dir():
            refuse_group(group, f"{tokens}, captions of Flickr8k,")
            return _from_tokens(tokens, columns)
        case others:
            for path in others:
                with open_input(path):  # a name that is mistyped, or a folder, is the first thing to be told
                    pass
            raise UsageError(_wrong_paths(others))


@dataclass
class _Said:
    """What a file says of one picture."""

    place: str
    group: str | None
    captions: list[str] = field(default_factory=list)


@dataclass
class _Gathered:
    """What a file says of all pictures, by their names in it."""

    pictures: dict[str, _Said] = field(default_factory=dict)
    empty: int = 0
    empty_places: list[str] = field(default_factory=list)


_Row = tuple[str, str, str, str | None]  # place, name, caption and group


def _from_table(path: Path, columns: Sequence[str] | None, group: str | None, keep_going: bool) -> CaptionFile:
    chosen = choose_columns(path, columns, CAPTIONS)
    at_path, at_caption = chosen.names
    grouped = with_group(path, chosen, group)
    rows = (
        (row.place, row.values[at_path], row.values[at_caption], group_of(row, group))
        for row in read_rows(path, grouped)
    )
    file = _file(path, _gather(rows), grouped.sentence, lambda name: path.parent / name)
    if file.unknown and not keep_going:
        raise DataError(_not_there(path, file.unknown[0], chosen if columns is None else None))
    return _filled(path, file)


def _from_tokens(path: Path, columns: Sequence[str] | None) -> CaptionFile:
    if columns is not None:
        raise UsageError(
            f"Columns ({', '.join(columns)}) are for tables; {path} is read as Flickr8k's. Leave them out."
        )
    rows = ((f"{path}:{token.number}", token.name, token.caption, None) for token in read_tokens(path))
    folders = [path.parent, *(path.parent / up / name for up in ("", "..") for name in PICTURE_FOLDERS)]
    there = [folder for folder in folders if folder.is_dir()]
    sentence = f"captions of {path}, with pictures from {' and '.join(map(str, there))}"
    return _filled(path, _file(path, _gather(rows), sentence, lambda name: _first_there(there, name)))


def _first_there(folders: Sequence[Path], name: str) -> Path:
    paths = [folder / name for folder in folders]
    return next((path for path in paths if not why_no_file(path)), paths[0])


def _gather(rows: Iterable[_Row]) -> _Gathered:
    gathered = _Gathered()
    for place, path, written, group in rows:
        name, caption = path.strip(), composed(written.strip())
        if name and caption:
            # "./a.jpg" and "a.jpg" are one picture.
            said = gathered.pictures.setdefault(str(Path(name)), _Said(place, checked_group(place, group)))
            _refuse_two_groups(place, name, said, group)
            said.captions.append(caption)
        else:
            gathered.empty += 1
            if gathered.empty <= FIRST_PLACES:
                gathered.empty_places.append(place)
    return gathered


def _refuse_two_groups(place: str, name: str, said: _Said, group: str | None) -> None:
    if said.group != group:
        raise DataError(
            f"{place}: the image {quote(name, 200)} has the group {quote(group or '')} here and "
            f"{quote(said.group or '')} at {said.place}. An image is on one side: give all its rows one group."
        )


def _file(path: Path, gathered: _Gathered, sentence: str, find: Callable[[str], Path]) -> CaptionFile:
    records: list[CaptionedImage] = []
    unknown: list[UnknownPicture] = []
    for name, said in gathered.pictures.items():
        source = find(name)
        reason = why_no_file(source)
        if reason:
            unknown.append(UnknownPicture(said.place, name, reason))
        else:
            records.append(CaptionedImage(source, tuple(said.captions), said.place, said.group))
    return CaptionFile(tuple(records), gathered.empty, tuple(gathered.empty_places), sentence, tuple(unknown))


def _filled(path: Path, file: CaptionFile) -> CaptionFile:
    if file.records:
        return file
    if file.unknown:
        first = file.unknown[0]
        found = f"none of {len(file.unknown):,} is there; the first, {quote(first.name, 200)}, {first.reason}"
        raise DataError(f"{path}: no picture can be used: {found}. Put the pictures beside the file, or in Images.")
    found = f"all {file.empty:,} lack one (the first at {file.empty_places[0]})" if file.empty else "it is empty"
    raise DataError(f"{path}: no row has both {CAPTIONS.nouns}: {found}. Give data with both.")


def _not_there(path: Path, unknown: UnknownPicture, guessed: Columns | None) -> str:
    message = f"{unknown.place}: the picture {quote(unknown.name, 200)} {unknown.reason}."
    if guessed is not None and not guessed.header and guessed.width and unknown.place == f"{path}:1":
        return f"{message} If this row is a header, name its columns: {columns_option(_first_row(path, guessed))}"
    return f"{message} Paths count from the folder of the table, {path.parent}: correct it, or leave the row out."


def _first_row(path: Path, columns: Columns) -> list[str]:
    rows: Iterator[dict[str, str]] = (row.values for row in read_rows(path, columns))
    return [value.strip() for value in next(rows).values()]


def _wrong_paths(paths: Sequence[Path]) -> str:
    ways = f"Give one table ({', '.join(TABLE_SUFFIXES)}) of {CAPTIONS.nouns}, or the token file of Flickr8k."
    if not paths:
        return f"No data is given. {ways}"
    return f"{len(paths)} files ({', '.join(map(str, paths[:5]))}) are not one set of captions. {ways}"
