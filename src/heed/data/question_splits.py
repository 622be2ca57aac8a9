"""`QuestionSplits`: questions to train on, to choose by and to be scored on; `split_questions` deals one file."""

from collections.abc import Sequence
from dataclasses import dataclass

from heed.data.dealing import Shares, deal, how_dealt
from heed.data.questions import Misplaced
from heed.data.records import Question


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


def split_questions(questions: Sequence[Question], valid_share: float = 0.1, test_share: float = 0.1) -> QuestionSplits:
    """Deal questions to train, valid and test by the hash of their paragraph alone: none stands on two sides."""
    shares = Shares(valid_share, test_share)
    parts = deal(questions, lambda question: question.context, shares, ("questions", "paragraphs"))
    return QuestionSplits(
        parts.train, parts.valid, parts.test, "", how_dealt(parts, "the paragraph", "questions", shares)
    )
