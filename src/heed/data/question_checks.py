"""`check_questions`: what is wrong or odd in questions on paragraphs, before a minute of training is spent on them.

The report is numbers that go to JSON through `dataclasses.asdict`, and `findings`, the same in sentences.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from heed.data.characters import CharacterFault, find_faults
from heed.data.findings import Finding, about_characters, about_empty, most_urgent_first
from heed.data.lengths import LengthSummary, count_words, length_table, measure, summarise
from heed.data.question_findings import (
    about_long_answers,
    about_long_paragraphs,
    about_misplaced,
    about_question_leak,
    about_question_repeats,
    about_torn_words,
)
from heed.data.question_repeats import QuestionRepeats, find_question_repeats
from heed.data.question_splits import QuestionSplits
from heed.data.questions import Misplaced
from heed.data.reading_limits import ReadingLimit, find_limits
from heed.data.records import Question
from heed.errors import DataError

EXAMPLES = 10


@dataclass(frozen=True)
class QuestionCounts:
    """How much there is of each kind in a split."""

    questions: int
    paragraphs: int
    impossible: int  # questions that their paragraphs do not answer


@dataclass(frozen=True)
class OddAnswers:
    """The questions with an odd first answer, or with none that can be found."""

    count: int
    places: tuple[str, ...]  # of the first


@dataclass(frozen=True)
class QuestionReport:
    """What `check_questions` found. Lengths, limits, answers and characters are of all splits together."""

    origin: str
    counts: dict[str, QuestionCounts]  # of each split
    empty: int  # questions left out because they, or their paragraphs, have no words
    empty_places: tuple[str, ...]  # of the first of them
    misplaced: tuple[Misplaced, ...]
    lengths: tuple[LengthSummary, ...]
    limits: tuple[ReadingLimit, ...]  # of paragraphs
    longest: int  # the limit at hand, one of those above
    longest_answer: int
    long_answers: OddAnswers  # longer, each of them, than that
    torn_words: OddAnswers  # the first answer begins or ends inside a word
    repeats: QuestionRepeats
    characters: tuple[CharacterFault, ...]
    findings: tuple[Finding, ...]  # errors first

    def lines(self) -> list[str]:
        """Return the report for a terminal."""
        found = [f"{finding.level}: {finding.text}" for finding in self.findings] or ["Nothing odd was found."]
        head = f"{'':10}{'questions':>10}{'paragraphs':>12}{'impossible':>12}"
        rows = [
            f"{name:<10}{counts.questions:>10,}{counts.paragraphs:>12,}{counts.impossible:>12,}"
            for name, counts in self.counts.items()
        ]
        return [self.origin, head, *rows, *length_table(self.lengths), *found]


def check_questions(
    splits: QuestionSplits,
    lengths: Callable[[str], int] | None = None,
    longest: int = 512,
    longest_answer: int = 30,
) -> QuestionReport:
    """Look the questions over; `lengths` counts the tokens of a text, `longest` is how many a model reads at once."""
    questions = [*splits.train, *splits.valid, *splits.test]
    if not splits.train:
        raise DataError(f"{splits.origin or 'The data'} holds 0 training questions: there is nothing to check.")
    unit, length = ("words", count_words) if lengths is None else ("tokens", lengths)
    report = QuestionReport(
        origin=splits.origin,
        counts={"train": _counts(splits.train), "valid": _counts(splits.valid), "test": _counts(splits.test)},
        empty=splits.empty,
        empty_places=splits.empty_places,
        misplaced=splits.misplaced,
        lengths=_lengths(questions, lengths),
        limits=find_limits([length(paragraph) for paragraph in _paragraphs(questions)], unit, longest),
        longest=longest,
        longest_answer=longest_answer,
        long_answers=_odd(questions, lambda each: _is_long(each, length, longest_answer)),
        torn_words=_odd(questions, _tears_word),
        repeats=find_question_repeats(splits),
        characters=_characters(questions),
        findings=(),
    )
    return replace(report, findings=most_urgent_first(_findings(report)))


def _findings(report: QuestionReport) -> Iterator[Finding]:
    unit = report.limits[0].unit
    yield from about_empty(report.empty, report.empty_places, "question(s) without words, or on such a paragraph,")
    yield from about_misplaced(report.misplaced)
    for leak in report.repeats.leaks:
        yield from about_question_leak(leak)
    yield from about_question_repeats(report.repeats, report.counts["train"].questions)
    for limit in report.limits:
        if limit.longest == report.longest:
            yield from about_long_paragraphs(limit)
    yield from about_long_answers(report.long_answers.count, report.long_answers.places, report.longest_answer, unit)
    answered = sum(counts.questions - counts.impossible for counts in report.counts.values())
    yield from about_torn_words(report.torn_words.count, report.torn_words.places, answered)
    for fault in report.characters:
        yield from about_characters(fault, "question(s)")


def _counts(questions: Sequence[Question]) -> QuestionCounts:
    impossible = sum(question.impossible for question in questions)
    return QuestionCounts(len(questions), len(_paragraphs(questions)), impossible)


def _paragraphs(questions: Sequence[Question]) -> list[str]:
    return list(dict.fromkeys(question.context for question in questions))


def _lengths(questions: Sequence[Question], tokens: Callable[[str], int] | None) -> tuple[LengthSummary, ...]:
    sides = {
        "question": [question.question for question in questions],
        "paragraph": _paragraphs(questions),
        "answer": [question.answers[0].text for question in questions if question.answers],
    }
    given = {side: texts for side, texts in sides.items() if texts}  # there may be no answer at all
    measured = [measure(given, "characters", len), measure(given, "words", count_words)]
    if tokens is not None:
        measured.append(measure(given, "tokens", tokens))
    return tuple(row for each in measured for row in summarise(each))


def _characters(questions: Sequence[Question]) -> tuple[CharacterFault, ...]:
    sides = {
        "question": [question.question for question in questions],
        "paragraph": [question.context for question in questions],
    }
    return find_faults(sides, [question.place for question in questions])


def _odd(questions: Sequence[Question], is_odd: Callable[[Question], bool]) -> OddAnswers:
    places = [question.place for question in questions if question.answers and is_odd(question)]
    return OddAnswers(len(places), tuple(places[:EXAMPLES]))


def _is_long(question: Question, length: Callable[[str], int], longest: int) -> bool:
    return min(length(answer.text) for answer in question.answers) > longest


def _tears_word(question: Question) -> bool:
    answer, context = question.answers[0], question.context
    before, after = context[max(0, answer.start - 1) : answer.start], context[answer.end : answer.end + 1]
    return (before.isalnum() and answer.text[0].isalnum()) or (after.isalnum() and answer.text[-1].isalnum())
