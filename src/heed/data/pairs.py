"""`read_pairs`: text pairs from one table (`.tsv`, `.csv`, `.jsonl`) or from two files whose line n belongs to line n.

White space around each text is removed. A pair with nothing on one side teaches nothing and is left out, but it
is counted: `PairFile` shows all that was done. Unicode normalisation is the work of the tokens, not of the reader.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from heed.data.group_column import checked_group, group_of, refuse_group, with_group
from heed.data.reading_notes import FIRST_PLACES
from heed.data.records import TextPair
from heed.data.task_columns import TASK_COLUMNS, check_count
from heed.errors import DataError, UsageError
from heed.files.columns import find_columns, why_empty
from heed.files.lines import read_lines
from heed.files.opening import open_input
from heed.files.tables import TABLE_SUFFIXES, is_table, read_rows

# Columns that are taken without being asked for when a header or the objects name them.
USUAL_COLUMNS = (("source", "target"), ("src", "tgt"), ("input", "output"))


@dataclass(frozen=True)
class PairFile:
    """The pairs of one table or of two aligned files, and what was done to get them."""

    pairs: tuple[TextPair, ...]
    empty: int  # pairs that were left out because a side was empty
    empty_places: tuple[str, ...]  # "path:line" of the first of them
    columns: str  # a sentence: which columns, or which files, became source and target


def read_pairs(paths: Sequence[Path], columns: Sequence[str] | None = None, group: str | None = None) -> PairFile:
    """Read one table or two aligned files; `columns` names source and target of a table, `group` a third column."""
    match [Path(path) for path in paths]:
        case [table] if is_table(table):
            return _from_table(table, columns, group)
        case [source, target] if not is_table(source) and not is_table(target):
            refuse_group(group, f"{source} and {target}, lines of text,")
            return _from_lines(source, target, columns)
        case others:
            for path in others:
                with open_input(path):  # a name that is mistyped is the first thing to be told
                    pass
            raise UsageError(_wrong_paths(others))


def _from_table(path: Path, columns: Sequence[str] | None, group: str | None) -> PairFile:
    check_count(columns, TASK_COLUMNS["translate"])
    chosen = find_columns(path, columns, usual=USUAL_COLUMNS, count=2)
    source, target = chosen.names
    chosen = with_group(path, chosen, group)
    pairs = (
        TextPair(row.values[source], row.values[target], row.place, group_of(row, group))
        for row in read_rows(path, chosen)
    )
    return _collect(pairs, chosen.sentence, str(path))


def _from_lines(source: Path, target: Path, columns: Sequence[str] | None) -> PairFile:
    if columns is not None:
        raise UsageError(f"Columns ({', '.join(columns)}) are for tables; {source} and {target} are lines of text.")
    if source == target:
        raise UsageError(f"{source} is given as source and as target. Give two different files.")
    return _collect(_aligned(source, target), f"line n of {source} → line n of {target}", f"{source} and {target}")


def _aligned(source: Path, target: Path) -> Iterator[TextPair]:
    sources, targets, last = 0, 0, 0
    for left, right in zip_longest(read_lines(source), read_lines(target)):
        sources, targets = sources + (left is not None), targets + (right is not None)
        if left is not None and right is not None:
            last = left.number
            yield TextPair(left.text, right.text, f"{source}:{left.number}")
    if sources != targets:
        raise DataError(_unequal(source, sources, target, targets, last))


def _unequal(source: Path, sources: int, target: Path, targets: int, last: int) -> str:
    for path, count in ((source, sources), (target, targets)):
        if count == 0:
            return f"{why_empty(path)} (The other one has {max(sources, targets):,} lines.)"
    return (
        f"{source} has {sources:,} lines, {target} has {targets:,}; the last that both have is line {last:,}. "
        f"Line n of one must belong to line n of the other: find the line that is missing or split in two."
    )


def _collect(pairs: Iterable[TextPair], columns: str, where: str) -> PairFile:
    full: list[TextPair] = []
    empty, places = 0, []
    for pair in pairs:
        source, target = pair.source.strip(), pair.target.strip()
        if source and target:
            full.append(TextPair(source, target, pair.place, checked_group(pair.place, pair.group)))
        else:
            empty += 1
            if empty <= FIRST_PLACES:
                places.append(pair.place)
    if not full:
        found = f"all {empty:,} have an empty side (the first at {places[0]})" if empty else "it is empty (0 lines)"
        raise DataError(f"{where}: no pair has text on both sides: {found}. Give a file with both texts.")
    return PairFile(tuple(full), empty, tuple(places), columns)


def _wrong_paths(paths: Sequence[Path]) -> str:
    ways = f"Give one table ({', '.join(TABLE_SUFFIXES)}) or two text files whose line n belongs to line n."
    if not paths:
        return f"No data file is given. {ways}"
    if len(paths) == 1:
        return f"{paths[0]} alone is one side of the pairs, for its suffix is not that of a table. {ways}"
    return f"{len(paths)} files ({', '.join(map(str, paths[:5]))}) do not make one set of pairs. {ways}"
