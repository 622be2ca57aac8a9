"""`load_tagged`: the words after a command (`demo:NAME`, or paths) as train, valid and test sentences with tags."""

import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path

from heed.data.dealing import GROUPED, SplitRule
from heed.data.demo_words import demo_name, names_demo
from heed.data.demos import TAGGED_DEMOS, load_tagged_demo
from heed.data.group_column import refuse_group
from heed.data.reading_notes import note_of, origin_of
from heed.data.tagged import TaggedFile, read_tagged
from heed.data.tagged_splits import TaggedSplits, check_tags, listed, split_tagged, unseen_labels
from heed.errors import DataError


def load_tagged(
    data: Sequence[str],
    valid: Sequence[str] = (),
    test: Sequence[str] = (),
    columns: Sequence[str] | None = None,
    rule: SplitRule = GROUPED,
) -> TaggedSplits:
    """Return the sentences of a demo or of files; what has no file of its own for validation is split by hash.

    With `valid` and without `test`, nothing is left to be scored on, for the user has said how to divide the data.
    """
    refuse_group(rule.group, "a CoNLL file, whose columns are of words,")
    if names_demo([*data, *valid, *test]):
        return load_tagged_demo(demo_name([*data, *valid, *test], columns is not None, TAGGED_DEMOS))
    given = [data, *(words for words in (valid, test) if words)]
    files = [read_tagged([Path(word) for word in words], columns) for words in given]
    _refuse_two_kinds(files, given)
    divided = dataclasses.replace(_divide(files, bool(valid), bool(test), rule), origin=origin_of(data, valid, test))
    check_tags(divided)
    note = " ".join([note_of(files, divided.note, "sentence(s) without words"), *_unseen(divided)])
    return dataclasses.replace(divided, note=note)


def _divide(files: Sequence[TaggedFile], has_valid: bool, has_test: bool, rule: SplitRule) -> TaggedSplits:
    train, test = files[0], files[-1].records if has_test else ()
    if has_valid:
        return TaggedSplits(train.records, files[1].records, test, train.scheme, origin="", note="")
    if has_test:
        return dataclasses.replace(split_tagged(train.records, train.scheme, test_share=0.0, rule=rule), test=test)
    return split_tagged(train.records, train.scheme, rule=rule)


def _refuse_two_kinds(files: Sequence[TaggedFile], given: Sequence[Sequence[str]]) -> None:
    for file, words in zip(files, given, strict=True):
        if (file.scheme is None) != (files[0].scheme is None):
            kinds = [
                "plain labels" if each.scheme is None else f"entities in {each.scheme}" for each in (files[0], file)
            ]
            raise DataError(
                f"The tags of {' '.join(given[0])} are {kinds[0]}, those of {' '.join(words)} are {kinds[1]}. "
                f"Give files with the same kind of tags, or choose the column with --columns."
            )


def _what(file: TaggedFile) -> str:
    return "plain labels" if file.scheme is None else f"entities in {file.scheme}"


def _unseen(splits: TaggedSplits) -> Iterator[str]:
    for split, labels in unseen_labels(splits).items():
        yield f"{split} has label(s) that train never has ({listed(labels)}): they cannot be found and count as missed."
