"""`load_labelled`: the words after a command (`demo:NAME`, or paths) as train, valid and test records with labels."""

import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path

from heed.data.dealing import GROUPED, SplitRule
from heed.data.demo_words import demo_name, names_demo
from heed.data.demos import labelled_demos, load_labelled_demo
from heed.data.labelled import LabelledFile, read_labelled
from heed.data.labelled_splits import LabelledSplits, check_labels, split_labelled
from heed.data.labels import Outcome, guess_outcome, numbers_of
from heed.data.leaks import BY_GROUPS_ALONE, group_notes, shared_texts_note
from heed.data.reading_notes import count_empty, first_empty, note_of, origin_of


def load_labelled(
    data: Sequence[str],
    valid: Sequence[str] = (),
    test: Sequence[str] = (),
    columns: Sequence[str] | None = None,
    texts: int = 1,
    outcome: Outcome | None = None,
    rule: SplitRule = GROUPED,
) -> LabelledSplits:
    """Return the records of a demo or of files; what has no file of its own for validation is split by the rule.

    `texts` is 1, or 2 for pairs. Without `outcome` the labels of pairs are taken as numbers if they look like a scale.
    With `valid` and without `test`, nothing is left to be scored on, for the user has said how to divide the data.
    """
    if names_demo(data):
        name = demo_name([*data, *valid, *test], columns is not None, labelled_demos(texts), rule.group)
        return load_labelled_demo(name)
    given = [data, *(words for words in (valid, test) if words)]
    files = [read_labelled([Path(word) for word in words], columns, texts, rule.group) for words in given]
    if outcome is None:
        outcome = guess_outcome(files[0].records) if texts == 2 else "label"
    divided = _divide(files, bool(valid), bool(test), outcome, rule)
    splits = dataclasses.replace(
        divided,
        origin=origin_of(data, valid, test),
        note=" ".join(
            filter(None, [note_of(files, divided.note, "record(s) without text or label"), *_leaks(divided, rule)])
        ),
        empty=count_empty(files),
        empty_places=first_empty(files),
    )
    _check(splits, outcome)
    return splits


def _divide(
    files: Sequence[LabelledFile], has_valid: bool, has_test: bool, outcome: Outcome, rule: SplitRule
) -> LabelledSplits:
    train, test = files[0].records, files[-1].records if has_test else ()
    if has_valid:
        return LabelledSplits(train, files[1].records, test, origin="", note="")
    if has_test:
        return dataclasses.replace(split_labelled(train, test_share=0.0, outcome=outcome, rule=rule), test=test)
    return split_labelled(train, outcome=outcome, rule=rule)


def _leaks(splits: LabelledSplits, rule: SplitRule) -> Iterator[str]:
    yield from group_notes(splits)
    if rule.group is not None:
        yield shared_texts_note(splits.train, splits.valid, BY_GROUPS_ALONE)


def _check(splits: LabelledSplits, outcome: Outcome) -> None:
    if outcome == "label":
        check_labels(splits)
    else:
        for records in (splits.train, splits.valid, splits.test):
            numbers_of(records)
