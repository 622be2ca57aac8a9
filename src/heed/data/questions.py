"""`read_questions`: questions on paragraphs from a file in the format of SQuAD.

White space around a question is removed; the paragraph stays as it is, for answers are counted in its characters. A
question without words, or on a paragraph without words, is left out and counted. An answer that does not stand where it
promises would teach something wrong: it is refused, or, for a report, left out and counted too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from heed.data.reading_notes import FIRST_PLACES
from heed.data.records import AnswerText, Question
from heed.errors import DataError, UsageError
from heed.files.opening import inner_suffix, open_input
from heed.files.squad import SquadParagraph, SquadQuestion, read_squad, why_misplaced


@dataclass(frozen=True)
class Misplaced:
    """A question with an answer that does not stand where it promises, and the sentence that says so."""

    place: str
    reason: str


@dataclass(frozen=True)
class QuestionFile:
    """The questions of one file, and what was done to get them."""

    questions: tuple[Question, ...]
    empty: int  # questions that were left out because they, or their paragraphs, have no words
    empty_places: tuple[str, ...]  # of the first of them
    columns: str  # a sentence: what was read
    misplaced: tuple[Misplaced, ...] = ()  # questions that were left out; none where the first is refused


def read_questions(paths: Sequence[Path], *, keep_going: bool = False) -> QuestionFile:
    """Read one SQuAD file; with `keep_going`, questions with misplaced answers are left out and listed."""
    path = _only(paths)
    questions: list[Question] = []
    misplaced: list[Misplaced] = []
    paragraphs, empty, places = 0, 0, []
    for paragraph in read_squad(path):
        paragraphs += 1
        for asked in paragraph.questions:
            problem = _why_misplaced(paragraph.context, asked)
            if problem is not None and not keep_going:
                raise DataError(f"{asked.place}: {problem}")
            if not asked.text.strip() or not paragraph.context.strip():
                empty += 1
                places.append(asked.place)
            elif problem is not None:
                misplaced.append(Misplaced(asked.place, problem))
            else:
                questions.append(_question(paragraph, asked))
    if not questions:
        raise DataError(_nothing(path, empty, places, misplaced))
    sentence = f"{len(questions):,} questions on {paragraphs:,} paragraphs of {path}"
    return QuestionFile(tuple(questions), empty, tuple(places[:FIRST_PLACES]), sentence, tuple(misplaced))


def _question(paragraph: SquadParagraph, asked: SquadQuestion) -> Question:
    answers = tuple(AnswerText(answer.text, answer.start) for answer in asked.answers)
    return Question(
        asked.id, paragraph.title, paragraph.context, asked.text.strip(), answers, asked.impossible, asked.place
    )


def _why_misplaced(context: str, asked: SquadQuestion) -> str | None:
    reasons: Iterator[str | None] = (why_misplaced(context, answer) for answer in asked.answers)
    return next((reason for reason in reasons if reason is not None), None)


def _only(paths: Sequence[Path]) -> Path:
    for path in paths:
        with open_input(path):  # a name that is mistyped is the first thing to be told
            pass
    way = "Give one file in the format of SQuAD (.json, also .json.gz)."
    if len(paths) != 1:
        raise UsageError(f"{len(paths)} files ({', '.join(map(str, paths[:5])) or 'none'}) are given. {way}")
    if inner_suffix(paths[0]) != ".json":
        raise UsageError(f"{paths[0]} has the suffix {paths[0].suffix!r}, which is not that of questions. {way}")
    return paths[0]


def _nothing(path: Path, empty: int, places: Sequence[str], misplaced: Sequence[Misplaced]) -> str:
    if misplaced:
        found = f"all {len(misplaced):,} have a misplaced answer (the first at {misplaced[0].place})"
    elif empty:
        found = f"all {empty:,} are empty or on an empty paragraph (the first at {places[0]})"
    else:
        found = "it has none"
    return f"{path}: no question can be used: {found}. Give a file with questions on paragraphs."
