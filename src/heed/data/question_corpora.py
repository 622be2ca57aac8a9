"""`load_questions`: the words after a command (`demo:NAME`, or paths) as train, valid and test questions."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path

from heed.data.dealing import GROUPED, SplitRule
from heed.data.demo_words import demo_name, names_demo
from heed.data.demos import QUESTION_DEMOS, load_question_demo
from heed.data.group_column import refuse_group
from heed.data.question_splits import QuestionSplits, split_questions
from heed.data.questions import QuestionFile, read_questions
from heed.data.reading_notes import count_empty, first_empty, note_of, origin_of


def load_questions(
    data: Sequence[str],
    valid: Sequence[str] = (),
    test: Sequence[str] = (),
    rule: SplitRule = GROUPED,
    *,
    keep_going: bool = False,
) -> QuestionSplits:
    """Return the questions of a demo or of files; what has no file of its own for validation is split by hash.

    With `valid` and without `test`, nothing is left to be scored on, for the user has said how to divide the data. With
    `keep_going`, questions with misplaced answers are left out and listed; without it the first is refused.
    """
    refuse_group(rule.group, "the format of SQuAD")
    if names_demo(data):
        return load_question_demo(demo_name([*data, *valid, *test], False, QUESTION_DEMOS))
    given = [data, *(words for words in (valid, test) if words)]
    files = [read_questions([Path(word) for word in words], keep_going=keep_going) for words in given]
    splits = _divide(files, bool(valid), bool(test), rule)
    return dataclasses.replace(
        splits,
        origin=origin_of(data, valid, test),
        note=note_of(files, splits.note, "question(s) without words, or on a paragraph without any"),
        empty=count_empty(files),
        empty_places=first_empty(files),
        misplaced=tuple(each for file in files for each in file.misplaced),
    )


def _divide(files: Sequence[QuestionFile], has_valid: bool, has_test: bool, rule: SplitRule) -> QuestionSplits:
    train, test = files[0].questions, files[-1].questions if has_test else ()
    if has_valid:
        return QuestionSplits(train, files[1].questions, test, origin="", note="")
    if has_test:
        return dataclasses.replace(split_questions(train, test_share=0.0, rule=rule), test=test)
    return split_questions(train, rule=rule)
