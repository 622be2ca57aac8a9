"""A run of `answer` from settings to a trainer, begun or resumed: data, tokenizer, model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from heed.data.question_splits import QuestionSplits
from heed.data.record_keys import question_key
from heed.data.records import Question
from heed.machine import Ranks
from heed.models.bert import Bert
from heed.models.span_reader import SpanReader
from heed.runs.answer_settings import AnswerSettings
from heed.runs.assembling import assemble, read_tokenizer
from heed.runs.base import Base, load_base, start_from
from heed.runs.based import on_bert
from heed.runs.best import BestModel
from heed.runs.examples import write_split_examples
from heed.runs.folder import RunFolder, TokenizerTexts
from heed.runs.preparing import made_whole, set_up, split_notes
from heed.runs.question_data import check_same_questions, load_question_data, question_facts, question_notes
from heed.runs.recording import go_back, save
from heed.runs.run import TrainerRun
from heed.settings import to_dict
from heed.tasks.answer_search import SpanSearch
from heed.tasks.answer_training import AnswerTraining
from heed.tokens.tokenizer import Tokenizer
from heed.tokens.training import train_tokenizer


@dataclass(frozen=True)
class PreparedAnswering:
    """All that can be wrong with a new run's settings and data has been found, and nothing has been written yet."""

    settings: AnswerSettings
    splits: QuestionSplits
    task: AnswerTraining
    tokenizer: Tokenizer
    notes: tuple[str, ...]


def prepare(settings: AnswerSettings) -> PreparedAnswering:
    """Return what a new run is made of: settings made whole, data read, tokenizer trained or taken from the base."""
    settings = made_whole(settings)
    splits = load_question_data(settings)
    if settings.base is not None:
        return _from_base(settings, splits, load_base(Path(settings.base)))
    tokenizer = train_tokenizer(
        _texts(splits.train), settings.tokens, "bert" if settings.model.kind == "bert" else "ours"
    )
    return PreparedAnswering(settings, splits, _task(settings, splits, tokenizer), tokenizer, ())


def begin(folder: RunFolder, prepared: PreparedAnswering, ranks: Ranks) -> TrainerRun:
    """Return a new run in an empty folder; its first checkpoint is there before the first step."""
    splits, task = prepared.splits, prepared.task
    run = assemble(folder, prepared.settings, task, prepared.tokenizer, ranks)
    if ranks.is_first:
        folder.write_tokenizers(TokenizerTexts(prepared.tokenizer.to_json()))
        folder.write_data_facts(question_facts(splits, task))
        write_split_examples(folder, splits, question_key)
        folder.write_settings(to_dict(prepared.settings))
        save(folder, run.trainer)
    return replace(run, notes=(*question_notes(splits, task), *prepared.notes, *run.notes))


def resume(folder: RunFolder, settings: AnswerSettings, ranks: Ranks) -> TrainerRun:
    """Return a run as its newest good checkpoint left it."""
    set_up(settings.training)
    splits = load_question_data(settings)
    check_same_questions(folder, splits)
    tokenizer = read_tokenizer(folder)
    run = assemble(folder, settings, _task(settings, splits, tokenizer), tokenizer, ranks)
    leaks = split_notes(settings.data, splits.train, splits.valid)
    return replace(run, notes=(*go_back(folder, run.trainer), *leaks, *run.notes))


def read_search(settings: AnswerSettings, best: BestModel) -> SpanSearch:
    """Return how answers are looked for: with the threshold of the settings, or that of the best validation."""
    kept = best.facts.get("no_answer_threshold")
    if settings.search.no_answer_threshold is not None or not isinstance(kept, int | float):
        return settings.search
    return replace(settings.search, no_answer_threshold=float(kept))


def build_model(settings: AnswerSettings, tokenizer: Tokenizer) -> SpanReader:
    """Return the run's model with fresh weights."""
    return SpanReader(settings.model, tokenizer.size)


def _from_base(settings: AnswerSettings, splits: QuestionSplits, base: Base) -> PreparedAnswering:
    settings = on_bert(settings, base)
    task = _task(settings, splits, base.tokenizer)
    assert isinstance(task.model.encoder, Bert)
    return PreparedAnswering(settings, splits, task, base.tokenizer, start_from(task.model.encoder, base))


def _texts(questions: Sequence[Question]) -> Iterator[str]:
    """Yield what a vocabulary is learnt from: every question, and each paragraph once, however often it is asked."""
    yield from dict.fromkeys(question.context for question in questions)
    yield from (question.question for question in questions)


def _task(settings: AnswerSettings, splits: QuestionSplits, tokenizer: Tokenizer) -> AnswerTraining:
    torch.manual_seed(settings.training.seed)
    return AnswerTraining(
        build_model(settings, tokenizer),
        tokenizer,
        splits,
        settings.windows,
        settings.search,
        settings.training.label_smoothing,
        settings.training.validation_texts,
    )
