"""Questions and paragraphs that stand twice: in training, with another answer, and where training is judged.

Texts are compared after NFC normalisation.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from heed.data.leaks import earlier_splits, sharing
from heed.data.question_splits import QuestionSplits
from heed.data.record_keys import composed, input_texts, question_key
from heed.data.records import Question

EXAMPLES = 10

Key = tuple[str, str]  # paragraph and question


@dataclass(frozen=True)
class QuestionLeak:
    """How much of a split stands in an earlier one as well."""

    split: str  # "valid" or "test"
    earlier: str  # "train", or "valid"
    size: int  # questions of the split
    questions: int  # of these stand there on the same paragraph
    on_known_paragraphs: int  # of these are on a paragraph that stands there (those above among them)
    examples: tuple[str, ...]  # places of the first


@dataclass(frozen=True)
class QuestionRepeats:
    """What stands more than once."""

    duplicates: int  # questions of train that stand there already, on the same paragraph
    duplicate_examples: tuple[str, ...]
    conflicts: int  # of these have no answer in common with the first
    conflict_examples: tuple[str, ...]
    leaks: tuple[QuestionLeak, ...]


def find_question_repeats(splits: QuestionSplits) -> QuestionRepeats:
    """Count what stands twice in train, and what of valid and test stands in an earlier split."""
    firsts: dict[Key, set[str]] = {}  # of each question, the answers given first
    duplicates: list[Question] = []
    conflicts: list[Question] = []
    for question in splits.train:
        answers = _answers(question)
        known = firsts.setdefault(question_key(question), answers)
        if known is not answers:
            duplicates.append(question)
            if known.isdisjoint(answers):
                conflicts.append(question)
    judged = earlier_splits(splits.train, splits.valid, splits.test)
    leaks = [_leak(*each) for each in judged if each[1] and each[3]]
    return QuestionRepeats(len(duplicates), _places(duplicates), len(conflicts), _places(conflicts), tuple(leaks))


def _leak(split: str, questions: Sequence[Question], earlier: str, before: Sequence[Question]) -> QuestionLeak:
    known = {question_key(question) for question in before}
    same = [question for question in questions if question_key(question) in known]
    near = sharing(questions, before, input_texts)
    return QuestionLeak(split, earlier, len(questions), len(same), len(near), _places(same or near))


def _answers(question: Question) -> set[str]:
    # An impossible question says one thing as well: that there is no answer.
    return {composed(answer.text) for answer in question.answers} or {""}


def _places(questions: Sequence[Question]) -> tuple[str, ...]:
    return tuple(question.place for question in questions[:EXAMPLES])
