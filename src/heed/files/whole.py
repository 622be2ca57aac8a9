"""`read_whole`: a UTF-8 file as one text, for formats that cannot be read line by line; its size is bounded."""

import os
from pathlib import Path

from heed.errors import DataError
from heed.files.lines import UTF8_BOM, decode_line, refuse_other_kinds
from heed.files.opening import is_gzip, open_input


def read_whole(path: Path, largest: int) -> str:
    """Return the text of a file, plain or `.gz`, of at most `largest` bytes; raise DataError if it is no text."""
    with open_input(path) as stream:
        raw = stream.read(largest + 1)
        if len(raw) > largest:
            found = "unpacks to more than that" if is_gzip(path) else f"has {os.stat(path).st_size:,}"
            raise DataError(
                f"{path} has to be read as a whole, and at most {largest:,} bytes are; it {found}. "
                f"Divide it into several files."
            )
    refuse_other_kinds(path, raw[:8])
    return _decode(path, raw.removeprefix(UTF8_BOM))


def _decode(path: Path, raw: bytes) -> str:
    fault = raw.find(b"\0")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        fault = error.start if fault < 0 else min(fault, error.start)
    if fault < 0:
        return text
    number, begin = raw.count(b"\n", 0, fault) + 1, raw.rfind(b"\n", 0, fault) + 1
    end = raw.find(b"\n", fault)
    return decode_line(path, number, raw[begin : end if end >= 0 else len(raw)])
