"""`load_pairs`: the words after a command (`demo:NAME`, or paths) as train, valid and test pairs."""

import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path

from heed.data.dealing import GROUPED, SplitRule
from heed.data.demo_words import demo_name, names_demo
from heed.data.demos import DEMOS, load_demo
from heed.data.leaks import BY_GROUPS_ALONE, group_notes, shared_texts_note
from heed.data.pairs import PairFile, read_pairs
from heed.data.reading_notes import count_empty, first_empty, note_of, origin_of
from heed.data.splits import PairSplits, split_by_hash


def load_pairs(
    data: Sequence[str],
    valid: Sequence[str] = (),
    test: Sequence[str] = (),
    columns: Sequence[str] | None = None,
    rule: SplitRule = GROUPED,
) -> PairSplits:
    """Return the pairs of a demo or of files; what has no file of its own for validation is split by the rule.

    With `valid` and without `test`, nothing is left to be scored on, for the user has said how to divide the data.
    """
    if names_demo(data):
        return load_demo(demo_name([*data, *valid, *test], columns is not None, DEMOS, rule.group))
    files = [_read(words, columns, rule.group) for words in (data, valid, test) if words or words is data]
    splits = _divide(files, bool(valid), bool(test), rule)
    return dataclasses.replace(
        splits,
        origin=origin_of(data, valid, test),
        note=" ".join(filter(None, [note_of(files, splits.note, "pair(s) with an empty side"), *_leaks(splits, rule)])),
        empty=count_empty(files),
        empty_places=first_empty(files),
    )


def _divide(files: Sequence[PairFile], has_valid: bool, has_test: bool, rule: SplitRule) -> PairSplits:
    train, test = files[0].pairs, files[-1].pairs if has_test else ()
    if has_valid:
        return PairSplits(train, files[1].pairs, test, origin="", note="")
    if has_test:
        return dataclasses.replace(split_by_hash(train, test_share=0.0, rule=rule), test=test)
    return split_by_hash(train, rule=rule)


def _leaks(splits: PairSplits, rule: SplitRule) -> Iterator[str]:
    yield from group_notes(splits)
    if rule.group is not None:
        yield shared_texts_note(splits.train, splits.valid, BY_GROUPS_ALONE)


def _read(words: Sequence[str], columns: Sequence[str] | None, group: str | None) -> PairFile:
    return read_pairs([Path(word) for word in words], columns, group)
