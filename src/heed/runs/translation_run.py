"""A translation run from settings to a trainer, begun or resumed: data, tokenizers, model, in that order."""

import hashlib
import os
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from heed.data.corpora import load_pairs
from heed.data.records import TextPair
from heed.data.splits import PairSplits
from heed.errors import MachineError, RunError
from heed.machine import Bf16Probe, Ranks, probe_bf16, set_threads
from heed.models.seq2seq import Seq2Seq, build_seq2seq
from heed.models.weights import parameter_count
from heed.runs.folder import RunFolder, TokenizerTexts, open_run
from heed.runs.recording import go_back, recorded, save
from heed.runs.settings import DataSettings, RunSettings
from heed.runs.strict_json import JSON
from heed.settings import from_dict, to_dict
from heed.tasks.translate import TokenizerPair, train_tokenizers
from heed.tasks.translation_training import TranslationTraining
from heed.tokens.encoded import TokenCounts
from heed.tokens.tokenizer import Tokenizer
from heed.training.reports import StepReport
from heed.training.trainer import Trainer


@dataclass(frozen=True)
class TranslationRun:
    """A run that is ready to train."""

    folder: RunFolder
    settings: RunSettings
    task: TranslationTraining
    trainer: Trainer
    facts: dict[str, JSON]  # of the best weights: which vocabulary they belong to
    notes: tuple[str, ...]  # what a person should know before it starts

    def reports(self) -> Generator[StepReport]:
        """Train; each step is recorded in the folder, then passed on."""
        return recorded(self.folder, self.trainer, self.facts)


@dataclass(frozen=True)
class Prepared:
    """All that can be wrong with a new run's settings and data has been found, and nothing has been written yet."""

    settings: RunSettings
    splits: PairSplits
    tokenizers: TokenizerPair


def prepare(settings: RunSettings) -> Prepared:
    """Return what a new run is made of: settings made whole, data read, tokenizers trained."""
    _check_precision(settings)
    threads = set_threads(settings.training.threads)
    settings = replace(settings, data=_absolute(settings.data), training=replace(settings.training, threads=threads))
    splits = _load(settings.data)
    tokenizers = train_tokenizers(splits.train, settings.tokens, settings.shared_tokens)
    return Prepared(settings, splits, tokenizers)


def begin(folder: RunFolder, prepared: Prepared, ranks: Ranks) -> TranslationRun:
    """Return a new run in an empty folder; its first checkpoint is there before the first step."""
    splits, tokenizers = prepared.splits, prepared.tokenizers
    run = _assemble(folder, prepared.settings, splits, tokenizers, ranks)
    if ranks.rank == 0:
        folder.write_tokenizers(_texts(tokenizers))
        folder.write_data_facts(_data_facts(splits, run.task))
        folder.write_settings(to_dict(prepared.settings))
        save(folder, run.trainer)
    return replace(run, notes=(*_data_notes(splits, run.task), *run.notes))


def resume(path: Path, ranks: Ranks) -> TranslationRun:
    """Return a run as its newest good checkpoint left it."""
    folder = open_run(path)
    settings = from_dict(RunSettings, folder.read_settings(), "settings")
    _check_precision(settings)
    set_threads(settings.training.threads)
    splits = _load(settings.data)
    _check_same_data(folder, splits)
    run = _assemble(folder, settings, splits, read_tokenizers(folder), ranks)
    return replace(run, notes=(*go_back(folder, run.trainer), *run.notes))


def read_tokenizers(folder: RunFolder) -> TokenizerPair:
    """Return the tokenizers of a run."""
    texts = folder.read_tokenizers()
    source = Tokenizer.from_json(texts.source)
    return TokenizerPair(source, source if texts.target is None else Tokenizer.from_json(texts.target))


def vocabulary_fingerprint(tokenizers: TokenizerPair) -> str:
    """Return what weights are tied to: the fingerprint of one vocabulary or of both."""
    both = (tokenizers.source, tokenizers.target)
    return "+".join(each.fingerprint for each in (both[:1] if tokenizers.shared else both))


def build_model(settings: RunSettings, tokenizers: TokenizerPair) -> Seq2Seq:
    """Return the run's model with fresh weights."""
    model = settings.model
    if model.tie == "all" and not tokenizers.shared:
        # Two vocabularies may be of one size by chance, and still their pieces have nothing in common.
        model = replace(model, tie="output")
    return build_seq2seq(model, tokenizers.source.size, tokenizers.target.size)


def _assemble(
    folder: RunFolder, settings: RunSettings, splits: PairSplits, tokenizers: TokenizerPair, ranks: Ranks
) -> TranslationRun:
    torch.manual_seed(settings.training.seed)
    model = build_model(settings, tokenizers)
    task = TranslationTraining(
        model,
        tokenizers,
        splits.train,
        splits.valid,
        settings.training.label_smoothing,
        settings.training.validation_texts,
    )
    trainer = Trainer(task, settings.training, ranks)
    facts: dict[str, JSON] = {"task": "translate", "vocabulary": vocabulary_fingerprint(tokenizers)}
    size = f"{parameter_count(model):,} parameters, {tokenizers.target.size:,} pieces in the target vocabulary"
    return TranslationRun(folder, settings, task, trainer, facts, (size,))


def _check_precision(settings: RunSettings) -> None:
    """Refuse bfloat16 where it would kill the process: some computers announce instructions that they do not have."""
    if settings.training.precision != "bf16":
        return
    probe = probe_bf16()
    if not probe.works or probe.isa is not None:
        raise MachineError(f"training.precision is bf16, but here {probe.reason}. {_cure(probe)}")


def _cure(probe: Bf16Probe) -> str:
    return (
        "Use float32." if probe.isa is None else f"Set ONEDNN_MAX_CPU_ISA={probe.isa} and run it again, or use float32."
    )


def _absolute(data: DataSettings) -> DataSettings:
    """Return the data with full paths: a run may be resumed from another folder."""

    def full(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name if name.startswith("demo:") else os.path.abspath(name) for name in names)

    return replace(data, train=full(data.train), valid=full(data.valid), test=full(data.test))


def _load(data: DataSettings) -> PairSplits:
    columns = (data.columns[0], data.columns[1]) if data.columns else None
    return load_pairs(data.train, data.valid, data.test, columns)


def _texts(tokenizers: TokenizerPair) -> TokenizerTexts:
    return TokenizerTexts(tokenizers.source.to_json(), None if tokenizers.shared else tokenizers.target.to_json())


def _data_facts(splits: PairSplits, task: TranslationTraining) -> dict[str, JSON]:
    return {
        "origin": splits.origin,
        "note": splits.note,
        "train": {"pairs": len(splits.train), "fingerprint": _fingerprint(splits.train)},
        "valid": {"pairs": len(splits.valid), "fingerprint": _fingerprint(splits.valid)},
        "source_tokens": _counted(task.train.source_counts),
        "target_tokens": _counted(task.train.target_counts),
        "empty_pairs": splits.empty,
    }


def _counted(counts: TokenCounts) -> dict[str, JSON]:
    return {"tokens": counts.tokens, "unknown": counts.unknown, "cut": counts.cut}


def _fingerprint(pairs: Sequence[TextPair]) -> str:
    digest = hashlib.sha256()
    for pair in pairs:
        digest.update(f"{len(pair.source)} {len(pair.target)}\n{pair.source}\n{pair.target}\n".encode())
    return digest.hexdigest()


def _data_notes(splits: PairSplits, task: TranslationTraining) -> Iterator[str]:
    yield f"{len(splits.train):,} training and {len(splits.valid):,} validation pairs from {splits.origin}"
    if splits.note:
        yield splits.note
    for side, counts in (("source", task.train.source_counts), ("target", task.train.target_counts)):
        if counts.cut or counts.unknown:
            yield f"{side}: {counts}"


def _check_same_data(folder: RunFolder, splits: PairSplits) -> None:
    facts = folder.read_data_facts()
    for name, pairs in (("train", splits.train), ("valid", splits.valid)):
        known = facts.get(name)
        if not isinstance(known, dict) or known.get("fingerprint") != _fingerprint(pairs):
            raise RunError(
                f"The {name} data of {folder.path} has changed since the run began: it now has {len(pairs)} pairs "
                f"with another fingerprint. Put the old files back, or begin a new run with heed train."
            )
