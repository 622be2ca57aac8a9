"""`QuestionSplits`: questions to train on, to choose by and to be scored on; `split_questions` deals one file."""

from collections.abc import Sequence
from dataclasses import dataclass

from heed.data.dealing import GROUPED, Inputs, Shares, SplitRule, split_records
from heed.data.questions import Misplaced
from heed.data.record_keys import input_texts
from heed.data.records import Question

PARAGRAPHS = Inputs[Question](lambda each: each.context, input_texts, "questions", "paragraphs", "the paragraph")


@dataclass(frozen=True)
class QuestionSplits:
    """Questions to train on, to choose by and to be scored on, and where they come from."""

    train: Sequence[Question]
    valid: Sequence[Question]
    test: Sequence[Question]
    origin: str  # the files, or the demo
    note: str  # sentences for the user: how it was split, what was left out
    empty: int = 0  # questions that were left out because they, or their paragraphs, have no words
    empty_places: tuple[str, ...] = ()  # of the first of them
    misplaced: tuple[Misplaced, ...] = ()  # questions that were left out for a report, which lists them


def split_questions(
    questions: Sequence[Question], valid_share: float = 0.1, test_share: float = 0.1, rule: SplitRule = GROUPED
) -> QuestionSplits:
    """Split questions into training, validation and test set; those on one paragraph stay on one side."""
    dealt = split_records(questions, PARAGRAPHS, Shares(valid_share, test_share), rule)
    return QuestionSplits(dealt.parts.train, dealt.parts.valid, dealt.parts.test, "", dealt.note)
