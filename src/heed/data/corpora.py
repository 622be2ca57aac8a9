"""`load_pairs`: the words after a command (`demo:NAME`, or paths) as train, valid and test pairs."""

import dataclasses
import difflib
from collections.abc import Sequence
from pathlib import Path

from heed.data.demos import DEMOS, load_demo
from heed.data.pairs import FIRST_PLACES, PairFile, read_pairs
from heed.data.splits import PairSplits, split_by_hash
from heed.errors import DataError, UsageError

DEMO = "demo:"


def load_pairs(
    data: Sequence[str],
    valid: Sequence[str] = (),
    test: Sequence[str] = (),
    columns: tuple[str, str] | None = None,
) -> PairSplits:
    """Return the pairs of a demo or of files; what has no file of its own for validation is split by hash.

    With `valid` and without `test`, nothing is left to be scored on, for the user has said how to divide the data.
    """
    if any(word.startswith(DEMO) for word in data):
        return _demo(data, [*valid, *test], columns)
    train = _read(data, columns)
    files = [train] + [_read(words, columns) for words in (valid, test) if words]
    splits = _divide(train, files, bool(valid), bool(test))
    empty = sum(file.empty for file in files)
    places = tuple(place for file in files for place in file.empty_places)[:FIRST_PLACES]
    left_out = f"Left out {empty:,} pair(s) with an empty side, the first at {places[0]}." if empty else ""
    return dataclasses.replace(
        splits,
        origin="; ".join(" + ".join(words) for words in (data, valid, test) if words),
        note=" ".join(filter(None, [*(f"Read {file.columns}." for file in files), splits.note, left_out])),
        empty=empty,
        empty_places=places,
    )


def _divide(train: PairFile, files: Sequence[PairFile], has_valid: bool, has_test: bool) -> PairSplits:
    test = files[-1].pairs if has_test else ()
    if has_valid:
        return PairSplits(train.pairs, files[1].pairs, test, origin="", note="")
    if has_test:
        return dataclasses.replace(split_by_hash(train.pairs, test_share=0.0), test=test)
    return split_by_hash(train.pairs)


def _read(words: Sequence[str], columns: tuple[str, str] | None) -> PairFile:
    return read_pairs([Path(word) for word in words], columns)


def _demo(data: Sequence[str], others: Sequence[str], columns: tuple[str, str] | None) -> PairSplits:
    if len(data) > 1 or others or columns is not None:
        raise UsageError(
            f"{' '.join([*data, *others])}: a demo stands alone, for it brings its own columns and its own pairs for "
            f"validation and test. Leave out the other files and columns."
        )
    name = data[0].removeprefix(DEMO)
    if name not in DEMOS:
        close = difflib.get_close_matches(name, DEMOS, n=1)
        hint = f" Did you mean {DEMO}{close[0]}?" if close else ""
        raise DataError(f"There is no demo {name!r}. The demos: {', '.join(DEMO + known for known in DEMOS)}.{hint}")
    return load_demo(name)
