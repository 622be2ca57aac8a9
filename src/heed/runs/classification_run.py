"""A run of `classify` or `pair` from settings to a trainer, begun or resumed: data, targets, tokenizer, model."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from heed.data.record_keys import labelled_key
from heed.machine import Ranks
from heed.models.bert import Bert
from heed.models.text_classifier import TextClassifier, TextClassifierSettings
from heed.runs.asked import settled_by_labels
from heed.runs.assembling import assemble, read_tokenizer, start_from_vectors
from heed.runs.base import Base, load_base, start_from
from heed.runs.based import on_bert
from heed.runs.examples import write_split_examples
from heed.runs.folder import RunFolder, TokenizerTexts
from heed.runs.labelled_data import LabelledData, check_same_records, data_facts, data_notes, load_data
from heed.runs.preparing import made_whole, set_up, split_notes
from heed.runs.recording import go_back, save
from heed.runs.run import TrainerRun
from heed.runs.settings import ClassificationSettings
from heed.settings import to_dict
from heed.tasks.classification_training import ClassificationTraining
from heed.tasks.targets import Scale, Targets, from_facts, to_facts
from heed.tokens.encoded import TokenCounts
from heed.tokens.tokenizer import Tokenizer
from heed.tokens.training import train_tokenizer


@dataclass(frozen=True)
class PreparedClassification:
    """All that can be wrong with a new run's settings and data has been found, and nothing has been written yet."""

    settings: ClassificationSettings
    data: LabelledData
    task: ClassificationTraining
    tokenizer: Tokenizer
    notes: tuple[str, ...]


def prepare(settings: ClassificationSettings) -> PreparedClassification:
    """Return what a new run is made of: settings made whole, data read, tokenizer trained, embedding started."""
    settings = made_whole(settings)
    data = load_data(settings)
    settings = settled_by_labels(settings, isinstance(data.targets, Scale))
    if settings.base is not None:
        return _from_base(settings, data, load_base(Path(settings.base)))
    texts = (text for record in data.splits.train for text in record.texts)
    tokenizer = train_tokenizer(texts, settings.tokens, "bert" if settings.model.kind == "bert" else "ours")
    task = _task(settings, data, tokenizer)
    notes = start_from_vectors(task.model.encoder.embedding, tokenizer, settings.vectors)
    return PreparedClassification(settings, data, task, tokenizer, notes)


def _from_base(settings: ClassificationSettings, data: LabelledData, base: Base) -> PreparedClassification:
    settings = on_bert(settings, base)
    task = _task(settings, data, base.tokenizer)
    assert isinstance(task.model.encoder, Bert)
    return PreparedClassification(settings, data, task, base.tokenizer, start_from(task.model.encoder, base))


def begin(folder: RunFolder, prepared: PreparedClassification, ranks: Ranks) -> TrainerRun:
    """Return a new run in an empty folder; its first checkpoint is there before the first step."""
    run = assemble(folder, prepared.settings, prepared.task, prepared.tokenizer, ranks)
    counts = sum(prepared.task.train.counts, TokenCounts())
    if ranks.is_first:
        folder.write_tokenizers(TokenizerTexts(prepared.tokenizer.to_json()))
        folder.write_labels(to_facts(prepared.data.targets))
        folder.write_data_facts(data_facts(prepared.data, counts))
        write_split_examples(folder, prepared.data.splits, labelled_key)
        folder.write_settings(to_dict(prepared.settings))
        save(folder, run.trainer)
    return replace(run, notes=(*data_notes(prepared.data), *_count_notes(counts), *prepared.notes, *run.notes))


def resume(folder: RunFolder, settings: ClassificationSettings, ranks: Ranks) -> TrainerRun:
    """Return a run as its newest good checkpoint left it."""
    set_up(settings.training)
    data = replace(load_data(settings), targets=read_targets(folder))
    check_same_records(folder, data)
    tokenizer = read_tokenizer(folder)
    run = assemble(folder, settings, _task(settings, data, tokenizer), tokenizer, ranks)
    leaks = split_notes(settings.data, data.splits.train, data.splits.valid)
    return replace(run, notes=(*go_back(folder, run.trainer), *leaks, *run.notes))


def read_targets(folder: RunFolder) -> Targets:
    """Return the labels of a run, or the scale of its numbers."""
    return from_facts(folder.read_labels(), f"labels.json of {folder.path}")


def build_model(settings: ClassificationSettings, tokenizer: Tokenizer, targets: Targets) -> TextClassifier:
    """Return the run's model with fresh weights."""
    return TextClassifier(neural(settings), tokenizer.size, targets.outputs, towers=settings.towers)


def neural(settings: ClassificationSettings) -> TextClassifierSettings:
    """Return the settings of the model, which here is one that learns step by step."""
    assert settings.model.kind != "tfidf", "a linear model has a run of its own"
    return settings.model


def _task(settings: ClassificationSettings, data: LabelledData, tokenizer: Tokenizer) -> ClassificationTraining:
    torch.manual_seed(settings.training.seed)
    return ClassificationTraining(
        build_model(settings, tokenizer, data.targets),
        tokenizer,
        data.targets,
        data.splits.train,
        data.splits.valid,
        settings.reading,
        settings.training.label_smoothing,
    )


def _count_notes(counts: TokenCounts) -> Iterator[str]:
    if counts.cut or counts.unknown:
        yield f"training texts: {counts}"
