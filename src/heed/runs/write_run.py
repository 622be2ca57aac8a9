"""A run of `write` from settings to a trainer, begun or resumed: text, tokenizer, model."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from heed.data.example_keys import passage_keys
from heed.data.text_splits import TextSplits
from heed.data.text_stream import load_text
from heed.errors import UsageError
from heed.machine import Ranks
from heed.models.language import LanguageModel, build_language_model
from heed.models.language_rnn import LanguageRnn, LanguageRnnSettings
from heed.models.language_transformer import LanguageTransformer
from heed.runs.assembling import assemble, read_tokenizer
from heed.runs.based import on_language
from heed.runs.examples import write_examples
from heed.runs.folder import RunFolder, TokenizerTexts
from heed.runs.held_out import HeldOut, held_out
from heed.runs.preparing import Fingerprint, check_same_data, fingerprint, made_whole, set_up, split_facts
from heed.runs.recording import go_back, save
from heed.runs.run import TrainerRun
from heed.runs.strict_json import JSON
from heed.runs.write_base import load_language_base, start_from
from heed.runs.write_settings import WriteSettings
from heed.settings import to_dict
from heed.tasks.text_ids import EncodedText, encode_text
from heed.tasks.write_training import LaneTraining, WindowTraining
from heed.tokens.tokenizer import Tokenizer
from heed.tokens.training import train_tokenizer

WriteTraining = WindowTraining | LaneTraining


@dataclass(frozen=True)
class PreparedWriting:
    """All that can be wrong with a new run's settings and data has been found, and nothing has been written yet."""

    settings: WriteSettings
    splits: TextSplits
    task: WriteTraining
    tokenizer: Tokenizer
    notes: tuple[str, ...]


def prepare(settings: WriteSettings, ranks: Ranks) -> PreparedWriting:
    """Return what a new run is made of: settings made whole, text read, tokenizer trained or taken from the base."""
    _refuse_ranks(settings, ranks)
    settings = made_whole(settings)
    splits = _load(settings)
    if settings.base is None:
        tokenizer = train_tokenizer(splits.train.split("\n"), settings.tokens, leading_space=True)
        return PreparedWriting(settings, splits, _task(settings, splits, tokenizer), tokenizer, ())
    base = load_language_base(Path(settings.base))
    settings = on_language(settings, settings.base, base)
    _refuse_ranks(settings, ranks)
    task = _task(settings, splits, base.tokenizer)
    return PreparedWriting(settings, splits, task, base.tokenizer, start_from(task.model, base))


def begin(folder: RunFolder, prepared: PreparedWriting, ranks: Ranks) -> TrainerRun:
    """Return a new run in an empty folder; its first checkpoint is there before the first step."""
    run = assemble(folder, prepared.settings, prepared.task, prepared.tokenizer, ranks)
    if ranks.is_first:
        folder.write_tokenizers(TokenizerTexts(prepared.tokenizer.to_json()))
        folder.write_data_facts(_data_facts(prepared.splits, prepared.task.train))
        write_examples(folder, *map(passage_keys, (prepared.splits.train, prepared.splits.valid, prepared.splits.test)))
        folder.write_settings(to_dict(prepared.settings))
        save(folder, run.trainer)
    return replace(run, notes=(*_data_notes(prepared.splits, prepared.task), *prepared.notes, *run.notes))


def resume(folder: RunFolder, settings: WriteSettings, ranks: Ranks) -> TrainerRun:
    """Return a run as its newest good checkpoint left it."""
    _refuse_ranks(settings, ranks)
    set_up(settings.training)
    splits = _load(settings)
    check_same_data(folder, _fingerprints(splits))
    tokenizer = read_tokenizer(folder)
    run = assemble(folder, settings, _task(settings, splits, tokenizer), tokenizer, ranks)
    return replace(run, notes=(*go_back(folder, run.trainer), *run.notes))


def read_test(folder: RunFolder, settings: WriteSettings) -> HeldOut[str]:
    """Return the text that the run was given for testing, as one record."""
    splits = _load(settings)
    return held_out(folder, [splits.test] if splits.test else [], _fingerprints(splits))


def build_model(settings: WriteSettings, tokenizer: Tokenizer) -> LanguageModel:
    """Return the run's model with fresh weights."""
    return build_language_model(settings.model, tokenizer.size)


def _task(settings: WriteSettings, splits: TextSplits, tokenizer: Tokenizer) -> WriteTraining:
    torch.manual_seed(settings.training.seed)
    model, smoothing = build_model(settings, tokenizer), settings.training.label_smoothing
    train, valid = encode_text(splits.train, tokenizer), encode_text(splits.valid, tokenizer)
    match model:
        case LanguageTransformer():
            return WindowTraining(model, tokenizer, train, valid, smoothing)
        case LanguageRnn():
            return LaneTraining(model, tokenizer, train, valid, smoothing, settings.training.tokens_per_batch)


def _load(settings: WriteSettings) -> TextSplits:
    return load_text(settings.data.train, settings.data.valid, settings.data.test)


def _refuse_ranks(settings: WriteSettings, ranks: Ranks) -> None:
    if isinstance(settings.model, LanguageRnnSettings) and ranks.world_size > 1:
        raise UsageError(
            f"A recurrent network carries its state through the text, in one process; torchrun started "
            f"{ranks.world_size}. Run it without torchrun, or train model transformer."
        )


def _fingerprints(splits: TextSplits) -> dict[str, Fingerprint]:
    texts = {"train": splits.train, "valid": splits.valid, "test": splits.test}
    return {name: fingerprint((line,) for line in (text.split("\n") if text else ())) for name, text in texts.items()}


def _data_facts(splits: TextSplits, train: EncodedText) -> dict[str, JSON]:
    return {
        "origin": splits.origin,
        "note": splits.note,
        **split_facts(_fingerprints(splits)),
        "tokens": {"tokens": len(train), "unknown": train.unknown, "characters": train.characters},
    }


def _data_notes(splits: TextSplits, task: WriteTraining) -> Iterator[str]:
    train, valid = task.train, task.valid
    yield f"{len(train):,} training and {len(valid):,} validation tokens from {splits.origin}"
    yield f"{train.characters / len(train):.2f} characters a token"
    if splits.note:
        yield splits.note
    for name, text in (("training", train), ("validation", valid)):
        if text.unknown:
            yield f"{text.unknown:,} of {len(text):,} {name} tokens ({text.unknown / len(text):.2%}) are unknown"
