"""`read_log`: some lines of a log of JSON objects, however long it is; only those are parsed and held.

A report shows a few hundred points of a curve, and the log of a long training has a million lines.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from heed.runs import durable, strict_json
from heed.runs.strict_json import JSON

LONGEST_LINE = 1 << 20  # bytes
MOST_LINES = 5_000_000  # that are looked at
MOST_MARKED = 5_000  # of the lines that are wanted for what they hold


@dataclass(frozen=True)
class Log:
    """Lines in their order, and what a person should know of those that are not among them."""

    lines: tuple[Mapping[str, JSON], ...]
    faults: tuple[str, ...]


def read_log(path: Path, most: int, mark: bytes | None = None) -> Log:
    """Return at most so many lines, evenly spread, the first and the last among them, and those that hold the mark.

    The line that a kill cut short at the end is left out.
    """
    faults: list[str] = []
    try:
        chosen = _choose(path, most, mark, faults)
        parsed = list(_parsed(path, chosen, faults))
    except FileNotFoundError:
        return Log((), ())
    except OSError as error:
        return Log((), (f"{path} cannot be read: {error.strerror}.",))
    return Log(tuple(parsed), tuple(faults))


def evenly(places: Sequence[int], most: int) -> Sequence[int]:
    """Return at most so many of the places, the first and the last among them."""
    last = len(places) - 1
    if last < most:
        return places
    return [places[round(number * last / (most - 1))] for number in range(most)]


def _choose(path: Path, most: int, mark: bytes | None, faults: list[str]) -> set[int]:
    """Return the numbers of the lines to parse, from 0."""
    count, marked = 0, []
    for number, line in _whole_lines(path, faults):
        count = number + 1
        if mark is not None and mark in line:
            marked.append(number)
    return {*evenly(range(count), most), *evenly(marked, MOST_MARKED)}


def _whole_lines(path: Path, faults: list[str]) -> Iterator[tuple[int, bytes]]:
    durable.file_size(path)  # refuses what is no regular file and could block
    with path.open("rb") as file:
        for number in range(MOST_LINES + 1):
            line = file.readline(LONGEST_LINE + 1)
            if len(line) > LONGEST_LINE:
                faults.append(
                    f"{path}:{number + 1} has more than {LONGEST_LINE:,} bytes; it and what follows is left out."
                )
                return
            if not line.endswith(b"\n"):
                return
            if number == MOST_LINES:
                faults.append(f"{path} has more than {MOST_LINES:,} lines; those after them are left out.")
                return
            yield number, line


def _parsed(path: Path, chosen: set[int], faults: list[str]) -> Iterator[Mapping[str, JSON]]:
    damaged: list[str] = []
    for number, line in _whole_lines(path, []):
        if number not in chosen:
            continue
        try:
            yield strict_json.decode_object(line)
        except ValueError as error:
            damaged.append(f"{path}:{number + 1} is damaged: {error}. It is left out")
    if damaged:
        more = f", and so are {len(damaged) - 1:,} more lines." if len(damaged) > 1 else "."
        faults.append(damaged[0] + more)
