"""A run of `caption` from settings to a trainer, begun or resumed: records, vocabulary, pictures as squares, model."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from heed.data.caption_corpora import load_captions
from heed.data.caption_splits import CaptionSplits
from heed.data.example_keys import content_of, image_key
from heed.data.records import CaptionedImage
from heed.machine import Ranks
from heed.models.captioner import Captioner, build_captioner
from heed.runs.assembling import assemble, read_tokenizer
from heed.runs.based import over_vit
from heed.runs.caption_settings import CaptionSettings
from heed.runs.examples import write_split_examples
from heed.runs.folder import RunFolder, TokenizerTexts
from heed.runs.held_out import HeldOut, held_out
from heed.runs.image_base import ImageBase, load_image_base, start_from
from heed.runs.pictures import TRAIN, VALID, contents, left_out, read_pictures
from heed.runs.preparing import Fingerprint, check_same_data, counted, fingerprint, made_whole, set_up, split_facts
from heed.runs.recording import go_back, save
from heed.runs.run import TrainerRun
from heed.runs.strict_json import JSON
from heed.runs.telling import Tell, silent
from heed.settings import to_dict
from heed.tasks.caption_training import CaptionTraining
from heed.tasks.image import Pictured
from heed.tasks.showing import Showing
from heed.tasks.validation import sampled
from heed.tokens.tokenizer import Tokenizer
from heed.tokens.training import train_tokenizer

Parts = Mapping[str, Pictured[CaptionedImage]]


@dataclass(frozen=True)
class PreparedCaptions:
    """Settings made whole, captions read, vocabulary trained; pictures are decoded once there is a folder for them."""

    settings: CaptionSettings
    splits: CaptionSplits
    tokenizer: Tokenizer
    base: ImageBase | None


def prepare(settings: CaptionSettings) -> PreparedCaptions:
    """Return what a new run is made of."""
    settings, base = made_whole(settings), None
    if settings.base is not None:
        base = load_image_base(Path(settings.base))
        settings = over_vit(settings, base)
    splits = _load(settings)
    captions = (caption for record in splits.train for caption in record.captions)
    return PreparedCaptions(settings, splits, train_tokenizer(captions, settings.tokens), base)


def begin(folder: RunFolder, prepared: PreparedCaptions, ranks: Ranks, tell: Tell = silent) -> TrainerRun:
    """Return a new run in an empty folder; its first checkpoint is there before the first step."""
    settings, splits, tokenizer = prepared.settings, prepared.splits, prepared.tokenizer
    parts = _read_pictures(folder, settings, splits, ranks, tell)
    task = _task(settings, parts, tokenizer)
    taken = () if prepared.base is None else start_from(task.model.encoder, prepared.base, "decoder")
    run = assemble(folder, settings, task, tokenizer, ranks)
    if ranks.is_first:
        folder.write_tokenizers(TokenizerTexts(tokenizer.to_json()))
        folder.write_data_facts(_data_facts(splits, parts, task))
        write_split_examples(folder, splits, image_key)
        folder.write_settings(to_dict(settings))
        save(folder, run.trainer)
    return replace(run, notes=(*_data_notes(splits, parts, task), *taken, *run.notes))


def resume(folder: RunFolder, settings: CaptionSettings, ranks: Ranks) -> TrainerRun:
    """Return a run as its newest good checkpoint left it."""
    set_up(settings.training)
    splits = _load(settings)
    parts = _read_pictures(folder, settings, splits, ranks, silent)
    check_same_data(folder, _fingerprints(parts))
    tokenizer = read_tokenizer(folder)
    run = assemble(folder, settings, _task(settings, parts, tokenizer), tokenizer, ranks)
    return replace(run, notes=(*go_back(folder, run.trainer), *run.notes))


def read_test(folder: RunFolder, settings: CaptionSettings) -> HeldOut[CaptionedImage]:
    """Return the images that the run set aside for testing; only these are verified, by their files."""
    splits = _load(settings)
    return held_out(folder, splits.test, {"test": _test_fingerprint(splits)})


def build_model(settings: CaptionSettings, tokenizer: Tokenizer) -> Captioner:
    """Return the run's model with fresh weights."""
    return build_captioner(settings.model, tokenizer.size)


def _load(settings: CaptionSettings) -> CaptionSplits:
    data = settings.data
    return load_captions(data.train, data.valid, data.test, data.columns or None, data.rule)


def _read_pictures(
    folder: RunFolder, settings: CaptionSettings, splits: CaptionSplits, ranks: Ranks, tell: Tell
) -> Parts:
    records = {TRAIN: splits.train, VALID: splits.valid}
    return read_pictures(folder, records, settings.model.encoder.image, settings.pictures, ranks, tell)


def _task(settings: CaptionSettings, parts: Parts, tokenizer: Tokenizer) -> CaptionTraining:
    torch.manual_seed(settings.training.seed)
    return CaptionTraining(
        build_model(settings, tokenizer),
        tokenizer,
        train=parts[TRAIN],
        valid=parts[VALID],
        showing=Showing(settings.augmentation, settings.colours, settings.model.encoder.image, settings.training.seed),
        label_smoothing=settings.training.label_smoothing,
        validation_texts=settings.training.validation_texts,
    )


def _fingerprints(parts: Parts) -> dict[str, Fingerprint]:
    def of(part: Pictured[CaptionedImage]) -> Fingerprint:
        return fingerprint(
            (*record.captions, content) for record, content in zip(part.records, contents(part), strict=True)
        )

    return {name: of(part) for name, part in parts.items()}


def _test_fingerprint(splits: CaptionSplits) -> Fingerprint:
    return fingerprint((*record.captions, content_of(record.source)) for record in splits.test)


def _data_facts(splits: CaptionSplits, parts: Parts, task: CaptionTraining) -> dict[str, JSON]:
    return {
        "origin": splits.origin,
        "note": splits.note,
        **split_facts({**_fingerprints(parts), "test": _test_fingerprint(splits)}),
        "left_out": {name: len(part.broken) for name, part in parts.items()},
        "tokens": counted(task.captions.counts),
    }


def _data_notes(splits: CaptionSplits, parts: Parts, task: CaptionTraining) -> Iterator[str]:
    train, valid = task.train.records, task.valid.records
    captions = sum(len(record.captions) for record in train)
    yield (
        f"{len(train):,} training pictures with {captions:,} captions and {len(valid):,} validation pictures from "
        f"{splits.origin}"
    )
    if splits.note:
        yield splits.note
    yield from sampled(len(task.decoded), len(valid), "images")
    for part in parts.values():
        yield from left_out(part)
    if task.captions.counts.cut or task.captions.counts.unknown:
        yield f"training captions: {task.captions.counts}"
