"""The data of a run of `answer`: what is kept of it in the folder, and what is said of it."""

from collections.abc import Iterator, Sequence

from heed.data.question_corpora import load_questions
from heed.data.question_splits import QuestionSplits
from heed.data.records import Question
from heed.runs.answer_settings import AnswerSettings
from heed.runs.folder import RunFolder
from heed.runs.held_out import HeldOut, held_out
from heed.runs.preparing import Fingerprint, check_same_data, counted, fingerprint, split_facts
from heed.runs.strict_json import JSON
from heed.tasks.answer_training import AnswerTraining
from heed.tasks.validation import sampled
from heed.tokens.encoded import TokenCounts


def load_question_data(settings: AnswerSettings) -> QuestionSplits:
    """Return the data that the settings name."""
    data = settings.data
    return load_questions(data.train, data.valid, data.test, data.rule)


def check_same_questions(folder: RunFolder, splits: QuestionSplits) -> None:
    """Refuse to go on with other data than the run began with."""
    check_same_data(folder, _fingerprints(splits))


def read_test(folder: RunFolder, settings: AnswerSettings) -> HeldOut[Question]:
    """Return the questions that the run set aside for testing."""
    splits = load_question_data(settings)
    return held_out(folder, splits.test, _fingerprints(splits))


def question_facts(splits: QuestionSplits, task: AnswerTraining) -> dict[str, JSON]:
    """Return what `data.json` says."""
    return {
        "origin": splits.origin,
        "note": splits.note,
        **split_facts(_fingerprints(splits)),
        "tokens": counted(sum(task.train.counts, TokenCounts())),
        "windows": len(task.train.windows),
        "lost_answers": task.gold.lost,
        "empty": splits.empty,
    }


def question_notes(splits: QuestionSplits, task: AnswerTraining) -> Iterator[str]:
    """Yield what a person should know of the data before training starts."""
    yield f"{len(splits.train):,} training and {len(splits.valid):,} validation questions from {splits.origin}"
    if splits.note:
        yield splits.note
    yield from sampled(len(task.valid_questions), len(splits.valid), "questions")
    impossible = sum(question.impossible for question in splits.train)
    if impossible:
        yield (
            f"{impossible:,} training questions ({impossible / len(splits.train):.1%}) are not answered by their "
            f"paragraphs. {_how_unanswered(task)}"
        )
    counts = sum(task.train.counts, TokenCounts())
    if counts.cut or counts.unknown:
        yield f"training questions with their paragraphs: {counts}; only questions are ever cut"
    if task.gold.lost:
        yield f"{task.gold.lost:,} training questions have an answer that no window holds as a whole: not learnt from."


def _how_unanswered(task: AnswerTraining) -> str:
    if task.search.no_answer_threshold is not None:
        return f"The margin above which none is given is {task.search.no_answer_threshold:g}, as was asked for."
    return (
        "The margin above which none is given is chosen at each validation, where F1 is highest, and kept with the "
        "best weights as no_answer_threshold; search.no_answer_threshold sets another."
    )


def _fingerprints(splits: QuestionSplits) -> dict[str, Fingerprint]:
    def of(questions: Sequence[Question]) -> Fingerprint:
        return fingerprint(
            (each.context, each.question, *(f"{answer.start} {answer.text}" for answer in each.answers))
            for each in questions
        )

    return {"train": of(splits.train), "valid": of(splits.valid), "test": of(splits.test)}
