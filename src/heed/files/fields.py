r"""`read_fields`: the records of a TSV or CSV file as lists of text, with the line on which each begins.

TSV: fields are parted by tabs and nothing else; a quote is a plain character. CSV: RFC 4180, with quotes, doubled
quotes and line ends inside quotes (a CRLF there becomes "\n"). Blank lines are no records. A header is a record too.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from heed.errors import DataError
from heed.files.lines import read_lines
from heed.files.opening import inner_suffix

LONGEST_RECORD = 1_000_000  # characters of one CSV record over all its lines; a quote never closed would take the file

# The library's own limit is one number for the whole process, and its default cuts off honest documents. It is only
# ever raised here; what bounds a record is LONGEST_RECORD.
csv.field_size_limit(max(csv.field_size_limit(), 2 * LONGEST_RECORD))


@dataclass(frozen=True, slots=True)
class Fields:
    """One record: the line on which it begins, and its fields as they stand in the file."""

    number: int
    values: list[str]


def read_fields(path: Path) -> Iterator[Fields]:
    """Yield the records of a `.tsv` or `.csv` file (also `.gz`), blank lines left out."""
    return _read_csv(path) if inner_suffix(path) == ".csv" else _read_tsv(path)


def _read_tsv(path: Path) -> Iterator[Fields]:
    for line in read_lines(path):
        values = line.text.split("\t")
        if not _is_blank(values):
            yield Fields(line.number, values)


def _read_csv(path: Path) -> Iterator[Fields]:
    feed = _Feed(path)
    reader = csv.reader(feed, strict=True)
    while True:
        feed.begin_record()
        try:
            values = next(reader, None)
        except csv.Error as error:
            raise DataError(f"{path}:{feed.start}: {_csv_fault(str(error))}") from None
        if values is None:
            return
        if not _is_blank(values):
            yield Fields(feed.start, values)


def _is_blank(values: list[str]) -> bool:
    return not values or (len(values) == 1 and not values[0].strip())


class _Feed:
    """The lines of a file for csv.reader, which remember where the record began and how large it has grown."""

    def __init__(self, path: Path) -> None:
        self.path, self.lines = path, read_lines(path)
        self.start, self.last, self.size = 1, 0, 0

    def begin_record(self) -> None:
        self.start, self.size = self.last + 1, 0

    def __iter__(self) -> "_Feed":
        return self

    def __next__(self) -> str:
        line = next(self.lines)
        self.last, self.size = line.number, self.size + len(line.text) + 1
        if self.size > LONGEST_RECORD:
            raise DataError(
                f"{self.path}:{self.start}: the record that begins here runs on to line {line.number} and over "
                f"{LONGEST_RECORD:,} characters. Is a quote opened on line {self.start} and never closed?"
            )
        return line.text + "\n"


def _csv_fault(fault: str) -> str:
    if "unexpected end of data" in fault:
        return "a quote is opened in the record that begins here and never closed. Close it, or write it twice."
    if "expected after" in fault:
        return 'text follows a closing quote. A quote inside a quoted field is written twice ("").'
    if "new-line character" in fault:
        return "a carriage return (0x0D) stands alone in a field without quotes. Save with \\n or \\r\\n line ends."
    return f"not CSV as RFC 4180 has it ({fault}). Save the table again as CSV, or as TSV."
