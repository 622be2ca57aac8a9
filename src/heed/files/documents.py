"""Folders of text files: `list_folder` names what is in one, `read_document` reads a whole file as one text."""

from pathlib import Path

from heed.errors import DataError
from heed.files.lines import read_lines
from heed.files.opening import why_not
from heed.files.quoting import quote

LONGEST_DOCUMENT = 1_000_000  # characters of one text; longer is a book or a log, and no model reads it


def list_folder(folder: Path) -> list[Path]:
    """Return what the folder holds, sorted by name; hidden files, such as the systems leave behind, are left out."""
    try:
        paths = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError as error:
        raise DataError(why_not(folder, error)) from None
    for path in paths:
        refuse_broken_name(path)
    return paths


def read_document(path: Path) -> str:
    """Return the text of a UTF-8 file, its lines joined by newlines; raise DataError if it is no text or too long."""
    lines: list[str] = []
    size = 0
    for line in read_lines(path):
        size += len(line.text) + 1
        if size > LONGEST_DOCUMENT:
            raise DataError(
                f"{path}:{line.number}: the file goes on beyond {LONGEST_DOCUMENT:,} characters, too long for a text. "
                f"Cut it into several files."
            )
        lines.append(line.text)
    return "\n".join(lines)


def refuse_broken_name(path: Path) -> None:
    """Refuse a file name that is not UTF-8, for no message or record could hold it."""
    try:
        path.name.encode("utf-8")
    except UnicodeEncodeError:
        folder, name = quote(str(path.parent), 200), quote(path.name)
        raise DataError(f"{folder}: the name {name} in it is not UTF-8. Rename it.") from None
