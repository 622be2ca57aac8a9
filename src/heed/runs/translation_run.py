"""A translation run from settings to a trainer, begun or resumed: data, tokenizers, model, in that order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import torch

from heed.data.corpora import load_pairs
from heed.data.example_keys import source_key
from heed.data.records import TextPair
from heed.data.splits import PairSplits
from heed.machine import Ranks
from heed.models.seq2seq import Seq2Seq, build_seq2seq
from heed.models.weights import parameter_count
from heed.runs.data_settings import DataSettings
from heed.runs.examples import write_split_examples
from heed.runs.folder import RunFolder, TokenizerTexts
from heed.runs.held_out import HeldOut, held_out
from heed.runs.preparing import (
    Fingerprint,
    check_same_data,
    counted,
    fingerprint,
    made_whole,
    set_up,
    split_facts,
    split_notes,
)
from heed.runs.recording import go_back, save
from heed.runs.run import TrainerRun
from heed.runs.settings import TranslationSettings
from heed.runs.strict_json import JSON
from heed.settings import to_dict
from heed.tasks.translate import TokenizerPair, train_tokenizers
from heed.tasks.translation_training import TranslationTraining
from heed.tasks.validation import sampled
from heed.tokens.tokenizer import Tokenizer
from heed.training.trainer import Trainer


@dataclass(frozen=True)
class PreparedTranslation:
    """All that can be wrong with a new run's settings and data has been found, and nothing has been written yet."""

    settings: TranslationSettings
    splits: PairSplits
    tokenizers: TokenizerPair


def prepare(settings: TranslationSettings) -> PreparedTranslation:
    """Return what a new run is made of: settings made whole, data read, tokenizers trained."""
    settings = made_whole(settings)
    splits = load_splits(settings.data)
    tokenizers = train_tokenizers(splits.train, settings.tokens, settings.shared_tokens)
    return PreparedTranslation(settings, splits, tokenizers)


def begin(folder: RunFolder, prepared: PreparedTranslation, ranks: Ranks) -> TrainerRun:
    """Return a new run in an empty folder; its first checkpoint is there before the first step."""
    splits, tokenizers = prepared.splits, prepared.tokenizers
    task = _task(prepared.settings, splits, tokenizers)
    run = _assemble(folder, prepared.settings, task, ranks)
    if ranks.is_first:
        folder.write_tokenizers(_texts(tokenizers))
        folder.write_data_facts(_data_facts(splits, task))
        write_split_examples(folder, splits, source_key)
        folder.write_settings(to_dict(prepared.settings))
        save(folder, run.trainer)
    return replace(run, notes=(*_data_notes(splits, task), *run.notes))


def resume(folder: RunFolder, settings: TranslationSettings, ranks: Ranks) -> TrainerRun:
    """Return a run as its newest good checkpoint left it."""
    set_up(settings.training)
    splits = load_splits(settings.data)
    check_same_data(folder, _fingerprints(splits))
    run = _assemble(folder, settings, _task(settings, splits, read_tokenizers(folder)), ranks)
    leaks = split_notes(settings.data, splits.train, splits.valid)
    return replace(run, notes=(*go_back(folder, run.trainer), *leaks, *run.notes))


def read_test(folder: RunFolder, settings: TranslationSettings) -> HeldOut[TextPair]:
    """Return the pairs that the run set aside for testing."""
    splits = load_splits(settings.data)
    return held_out(folder, splits.test, _fingerprints(splits))


def read_tokenizers(folder: RunFolder) -> TokenizerPair:
    """Return the tokenizers of a run."""
    texts = folder.read_tokenizers()
    source = Tokenizer.from_json(texts.source)
    return TokenizerPair(source, source if texts.target is None else Tokenizer.from_json(texts.target))


def vocabulary_fingerprint(tokenizers: TokenizerPair) -> str:
    """Return what weights are tied to: the fingerprint of one vocabulary or of both."""
    both = (tokenizers.source, tokenizers.target)
    return "+".join(each.fingerprint for each in (both[:1] if tokenizers.shared else both))


def build_model(settings: TranslationSettings, tokenizers: TokenizerPair) -> Seq2Seq:
    """Return the run's model with fresh weights."""
    model = settings.model
    if model.tie == "all" and not tokenizers.shared:
        # Two vocabularies may be of one size by chance, and still their pieces have nothing in common.
        model = replace(model, tie="output")
    return build_seq2seq(model, tokenizers.source.size, tokenizers.target.size)


def _task(settings: TranslationSettings, splits: PairSplits, tokenizers: TokenizerPair) -> TranslationTraining:
    torch.manual_seed(settings.training.seed)
    return TranslationTraining(
        build_model(settings, tokenizers),
        tokenizers,
        splits.train,
        splits.valid,
        settings.training.label_smoothing,
        settings.training.validation_texts,
    )


def _assemble(folder: RunFolder, settings: TranslationSettings, task: TranslationTraining, ranks: Ranks) -> TrainerRun:
    trainer = Trainer(task, settings.training, ranks)
    facts: dict[str, JSON] = {"task": settings.task, "vocabulary": vocabulary_fingerprint(task.tokenizers)}
    pieces = task.tokenizers.target.size
    size = f"{parameter_count(task.model):,} parameters, {pieces:,} pieces in the target vocabulary"
    return TrainerRun(folder, settings, task, trainer, facts, (size,))


def load_splits(data: DataSettings) -> PairSplits:
    """Return the pairs that the settings name."""
    return load_pairs(data.train, data.valid, data.test, data.columns or None, data.rule)


def _texts(tokenizers: TokenizerPair) -> TokenizerTexts:
    return TokenizerTexts(tokenizers.source.to_json(), None if tokenizers.shared else tokenizers.target.to_json())


def _data_facts(splits: PairSplits, task: TranslationTraining) -> dict[str, JSON]:
    return {
        "origin": splits.origin,
        "note": splits.note,
        **split_facts(_fingerprints(splits)),
        "source_tokens": counted(task.train.source_counts),
        "target_tokens": counted(task.train.target_counts),
        "empty_pairs": splits.empty,
    }


def _fingerprints(splits: PairSplits) -> dict[str, Fingerprint]:
    named = {"train": splits.train, "valid": splits.valid, "test": splits.test}
    return {name: pairs_fingerprint(pairs) for name, pairs in named.items()}


def pairs_fingerprint(pairs: Sequence[TextPair]) -> Fingerprint:
    """Return the fingerprint of pairs, as `data.json` has it."""
    return fingerprint((pair.source, pair.target) for pair in pairs)


def _data_notes(splits: PairSplits, task: TranslationTraining) -> Iterator[str]:
    yield f"{len(splits.train):,} training and {len(splits.valid):,} validation pairs from {splits.origin}"
    if splits.note:
        yield splits.note
    yield from sampled(len(task.decoded), len(splits.valid), "pairs")
    for side, counts in (("source", task.train.source_counts), ("target", task.train.target_counts)):
        if counts.cut or counts.unknown:
            yield f"{side}: {counts}"
