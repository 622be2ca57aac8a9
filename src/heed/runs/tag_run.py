"""A run of `tag` from settings to a trainer, begun or resumed: data, tags, tokenizer, model."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from heed.data.record_keys import tagged_key
from heed.machine import Ranks
from heed.models.bert import Bert
from heed.models.tagger import Tagger
from heed.runs.assembling import assemble, read_tokenizer, start_from_vectors
from heed.runs.base import Base, load_base, start_from
from heed.runs.based import on_bert
from heed.runs.examples import write_split_examples
from heed.runs.folder import RunFolder, TokenizerTexts
from heed.runs.preparing import made_whole, set_up, split_notes
from heed.runs.recording import go_back, save
from heed.runs.run import TrainerRun
from heed.runs.tag_settings import TagSettings
from heed.runs.tagged_data import TaggedData, check_same_sentences, load_tagged_data, tagged_facts, tagged_notes
from heed.settings import to_dict
from heed.tasks.known_tags import KnownTags, tags_from_facts, tags_to_facts
from heed.tasks.tag import EncodedWords
from heed.tasks.tag_training import TagTraining
from heed.tokens.encoded import TokenCounts
from heed.tokens.tokenizer import Tokenizer
from heed.tokens.training import train_tokenizer


@dataclass(frozen=True)
class PreparedTagging:
    """All that can be wrong with a new run's settings and data has been found, and nothing has been written yet."""

    settings: TagSettings
    data: TaggedData
    task: TagTraining
    tokenizer: Tokenizer
    notes: tuple[str, ...]


def prepare(settings: TagSettings) -> PreparedTagging:
    """Return what a new run is made of: settings made whole, data read, tokenizer and first weights at hand."""
    settings = made_whole(settings)
    data = load_tagged_data(settings)
    if settings.base is not None:
        return _from_base(settings, data, load_base(Path(settings.base)))
    texts = (record.text for record in data.splits.train)
    tokenizer = train_tokenizer(texts, settings.tokens, "bert" if settings.model.kind == "bert" else "ours")
    task = _task(settings, data, tokenizer)
    notes = start_from_vectors(task.model.encoder.embedding, tokenizer, settings.vectors)
    return PreparedTagging(settings, data, task, tokenizer, notes)


def begin(folder: RunFolder, prepared: PreparedTagging, ranks: Ranks) -> TrainerRun:
    """Return a new run in an empty folder; its first checkpoint is there before the first step."""
    run = assemble(folder, prepared.settings, prepared.task, prepared.tokenizer, ranks)
    train = prepared.task.train
    if ranks.is_first:
        folder.write_tokenizers(TokenizerTexts(prepared.tokenizer.to_json()))
        folder.write_labels(tags_to_facts(prepared.data.known))
        counts = sum(train.counts, TokenCounts())
        folder.write_data_facts(tagged_facts(prepared.data, counts, sum(train.cut_words())))
        write_split_examples(folder, prepared.data.splits, tagged_key)
        folder.write_settings(to_dict(prepared.settings))
        save(folder, run.trainer)
    return replace(run, notes=(*tagged_notes(prepared.data), *_count_notes(train), *prepared.notes, *run.notes))


def resume(folder: RunFolder, settings: TagSettings, ranks: Ranks) -> TrainerRun:
    """Return a run as its newest good checkpoint left it."""
    set_up(settings.training)
    data = replace(load_tagged_data(settings), known=read_tags(folder))
    check_same_sentences(folder, data)
    tokenizer = read_tokenizer(folder)
    run = assemble(folder, settings, _task(settings, data, tokenizer), tokenizer, ranks)
    leaks = split_notes(settings.data, data.splits.train, data.splits.valid)
    return replace(run, notes=(*go_back(folder, run.trainer), *leaks, *run.notes))


def read_tags(folder: RunFolder) -> KnownTags:
    """Return the tags of a run."""
    return tags_from_facts(folder.read_labels(), f"labels.json of {folder.path}")


def build_model(settings: TagSettings, tokenizer: Tokenizer, known: KnownTags) -> Tagger:
    """Return the run's model with fresh weights."""
    return Tagger(settings.tagger, tokenizer.size, len(known.names))


def _from_base(settings: TagSettings, data: TaggedData, base: Base) -> PreparedTagging:
    settings = on_bert(settings, base)
    task = _task(settings, data, base.tokenizer)
    assert isinstance(task.model.encoder, Bert)
    return PreparedTagging(settings, data, task, base.tokenizer, start_from(task.model.encoder, base))


def _task(settings: TagSettings, data: TaggedData, tokenizer: Tokenizer) -> TagTraining:
    torch.manual_seed(settings.training.seed)
    return TagTraining(
        build_model(settings, tokenizer, data.known),
        tokenizer,
        data.known,
        data.splits.train,
        data.splits.valid,
        settings.training.label_smoothing,
    )


def _count_notes(sentences: EncodedWords) -> Iterator[str]:
    counts, cut_words = sum(sentences.counts, TokenCounts()), sum(sentences.cut_words())
    if counts.cut or counts.unknown:
        yield f"training sentences: {counts}"
    if cut_words:
        yield f"{cut_words:,} training words stand beyond the longest length and are not learnt from."
