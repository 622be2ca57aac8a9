"""`load_pairs`: the words after a command (`demo:NAME`, or paths) as train, valid and test pairs."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path

from heed.data.demo_words import demo_name, names_demo
from heed.data.demos import DEMOS, load_demo
from heed.data.pairs import PairFile, read_pairs
from heed.data.reading_notes import count_empty, first_empty, note_of, origin_of
from heed.data.splits import PairSplits, split_by_hash


def load_pairs(
    data: Sequence[str],
    valid: Sequence[str] = (),
    test: Sequence[str] = (),
    columns: Sequence[str] | None = None,
) -> PairSplits:
    """Return the pairs of a demo or of files; what has no file of its own for validation is split by hash.

    With `valid` and without `test`, nothing is left to be scored on, for the user has said how to divide the data.
    """
    if names_demo(data):
        return load_demo(demo_name([*data, *valid, *test], columns is not None, DEMOS))
    train = _read(data, columns)
    files = [train] + [_read(words, columns) for words in (valid, test) if words]
    splits = _divide(train, files, bool(valid), bool(test))
    return dataclasses.replace(
        splits,
        origin=origin_of(data, valid, test),
        note=note_of(files, splits.note, "pair(s) with an empty side"),
        empty=count_empty(files),
        empty_places=first_empty(files),
    )


def _divide(train: PairFile, files: Sequence[PairFile], has_valid: bool, has_test: bool) -> PairSplits:
    test = files[-1].pairs if has_test else ()
    if has_valid:
        return PairSplits(train.pairs, files[1].pairs, test, origin="", note="")
    if has_test:
        return dataclasses.replace(split_by_hash(train.pairs, test_share=0.0), test=test)
    return split_by_hash(train.pairs)


def _read(words: Sequence[str], columns: Sequence[str] | None) -> PairFile:
    return read_pairs([Path(word) for word in words], columns)
