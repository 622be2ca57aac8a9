r"""`read_lines`: a text file as numbered lines, streaming, in strict UTF-8.

A line ends at "\n" and nowhere else: U+2028, \x0b, \x85 and a lone "\r" stay inside it; the "\r" of a CRLF is dropped.
What is not UTF-8 text (UTF-16, Latin-1, NUL bytes, a spreadsheet) is refused with its place and the cure. A line is
bounded, also in a gzip file, so that a file without line ends never sits in memory.
"""

import os
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from heed.errors import DataError
from heed.files.opening import is_gzip, open_input

LONGEST_LINE = 1_000_000  # bytes; longer is never a sentence, most often a file without line ends
COUNTED_LINE = 100_000_000  # bytes; the length of a line that is too long is counted up to here for the message
GZIP_FREE = 64_000_000  # bytes; a gzip file may always unpack to this much …
GZIP_GROWTH = 200  # … and beyond that to this many times its own size; text reaches 5 to 20, a bomb 1,000

STANDARD_INPUT = Path("standard input")  # how messages name it
UTF8_BOM = b"\xef\xbb\xbf"
# First bytes that show another kind of file. UTF-32 stands before UTF-16, whose mark is a part of its own.
OTHER_KINDS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file; numbers count from 1, as editors do."""

    number: int
    text: str


def read_lines(path: Path) -> Iterator[Line]:
    """Yield the lines of a UTF-8 file, plain or `.gz`; raise DataError at the first that is not text."""
    with open_input(path) as stream:
        yield from _lines(stream, path, _unpacked_limit(path))


def read_standard_input(stream: BinaryIO) -> Iterator[Line]:
    """Yield the lines of standard input as they come, by the rules of `read_lines`."""
    yield from _lines(stream, STANDARD_INPUT, float("inf"))


def _lines(stream: BinaryIO, path: Path, allowed: float) -> Iterator[Line]:
    unpacked = 0
    for number, raw in enumerate(_raw_lines(stream, path), start=1):
        unpacked += len(raw) + 1  # the line end counts, or a file of line ends alone would weigh nothing
        if unpacked > allowed:
            raise DataError(
                f"{path} unpacks to more than {allowed:,} bytes, over {GZIP_GROWTH} times its size. "
                f"Text does not do that; unpack it by hand and look at it."
            )
        if number == 1:
            refuse_other_kinds(path, raw)
            raw = raw.removeprefix(UTF8_BOM)
        yield Line(number, decode_line(path, number, raw))


def _raw_lines(stream: BinaryIO, path: Path) -> Iterator[bytes]:
    number = 0
    while raw := stream.readline(LONGEST_LINE + 2):
        number += 1
        ended = raw.endswith(b"\n")
        text = raw.removesuffix(b"\n").removesuffix(b"\r") if ended else raw
        if len(text) > LONGEST_LINE:
            raise DataError(
                f"{path}:{number}: this line is {_length(stream, raw)} bytes long; at most {LONGEST_LINE:,} are read. "
                f"Cut the text into lines of a sentence or a paragraph each."
            )
        yield text


def _length(stream: BinaryIO, raw: bytes) -> str:
    counted = len(raw)
    while not raw.endswith(b"\n"):
        raw = stream.readline(LONGEST_LINE)
        counted += len(raw)
        if not raw:
            return f"{counted:,}"
        if counted > COUNTED_LINE:
            return f"over {COUNTED_LINE:,}"
    return f"{counted - 1:,}"


def decode_line(path: Path, number: int, raw: bytes) -> str:
    """Return the text of one line, or raise DataError with what is not UTF-8 in it, and the cure."""
    at = raw.find(b"\0")
    if at >= 0:
        raise DataError(
            f"{path}:{number}: NUL byte 0x00 at byte {at + 1} of the line. This is not UTF-8 text (perhaps UTF-16 "
            f"without a mark, or a damaged file). {_cure(path, 'UTF-16LE')}"
        )
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = raw[error.start : error.start + 1]
        letter = byte.decode("cp1252", "replace")
        known = letter.isprintable() and letter != "\ufffd"
        meaning = f" (in Windows-1252 or Latin-1 it is {letter!r})" if known else ""
        raise DataError(
            f"{path}:{number}: byte 0x{byte.hex().upper()} at byte {error.start + 1} of the line is not UTF-8{meaning}."
            f" {_cure(path, 'WINDOWS-1252')}"
        ) from None


def refuse_other_kinds(path: Path, first: bytes) -> None:
    """Refuse a file whose first bytes show that it is no UTF-8 text."""
    for mark, encoding in OTHER_KINDS:
        if first.startswith(mark):
            shown = " ".join(f"0x{byte:02X}" for byte in mark)
            raise DataError(f"{path}:1: the first bytes {shown} say {encoding}, not UTF-8. {_cure(path, encoding)}")
    if first.startswith(b"\x1f\x8b"):
        raise DataError(f"{path}:1: the file starts with 0x1F 0x8B: it is packed by gzip. Name it {path.name}.gz.")
    if first.startswith(b"PK\x03\x04"):
        raise DataError(
            f"{path}:1: the file starts with PK 0x03 0x04: it is a zip archive or a spreadsheet, not text. "
            f"Unpack it, or save the sheet as CSV in UTF-8."
        )


def _cure(path: Path, encoding: str) -> str:
    if path == STANDARD_INPUT:
        return f"Give it as UTF-8, for example through: iconv -f {encoding} -t UTF-8"
    name, new = shlex.quote(str(path)), shlex.quote(str(path.with_name("utf8-" + path.name)))
    if is_gzip(path):
        return f"Save it as UTF-8, for example: zcat {name} | iconv -f {encoding} -t UTF-8 | gzip > {new}"
    return f"Save it as UTF-8, for example: iconv -f {encoding} -t UTF-8 {name} > {new}"


def _unpacked_limit(path: Path) -> float:
    if not is_gzip(path):
        return float("inf")
    return max(GZIP_FREE, GZIP_GROWTH * os.stat(path).st_size)
