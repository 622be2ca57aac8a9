"""Runs of `translate` whose parts are those of Marian as `transformers` names them."""

from collections.abc import Mapping
from dataclasses import replace

import torch
from torch import Tensor

from heed.exchange.export_tokenizer import Dress, tokenizer_files
from heed.exchange.exported import Exported, cannot
from heed.exchange.published_folder import GENERATION, json_text
from heed.models.published.marian import SWITCHES, Tie, activation_of, write_marian
from heed.models.published.parts import WrittenModel
from heed.models.transformer import TransformerSettings
from heed.runs import translation_run
from heed.runs.folder import RunFolder
from heed.runs.settings import TranslationSettings
from heed.tasks.framing import Frame
from heed.tasks.translate import TokenizerPair
from heed.tasks.translating import never_said
from heed.tokens.marian import TARGET_WHOLE
from heed.tokens.published import WHOLE
from heed.tokens.tokenizer import Tokenizer


def export_marian(folder: RunFolder, settings: TranslationSettings, model: TransformerSettings) -> Exported:
    """Return the run as a folder of theirs, or refuse with the switch that is in the way."""
    _check_switches(model, str(folder.path))
    tokenizers, weights = translation_run.read_tokenizers(folder), folder.read_best().tensors
    model = replace(model, tie=_tie(model, weights))
    written = write_marian(model, weights)
    target = tokenizers.target
    ids = {
        "pad_token_id": target.pad,
        "bos_token_id": None,
        "eos_token_id": target.end,
        "decoder_start_token_id": target.start,
        "forced_eos_token_id": None,
    }
    generation = {
        **ids,
        "num_beams": settings.search.beams,
        "max_length": model.longest,
        # What is never said here, should not be said there.
        "bad_words_ids": [[id] for id in never_said(target)],
    }
    config = {**written.config, **ids, "dtype": "float32"}
    texts = _tokenizer_texts(tokenizers, model) | {GENERATION: json_text(generation)}
    return Exported(WrittenModel(config, written.tensors), texts, _notes(tokenizers))


def _check_switches(model: TransformerSettings, origin: str) -> None:
    for name, wanted in SWITCHES.items():
        value = getattr(model, name)
        if value != wanted:
            raise cannot(origin, f"model.{name}", value, f"Marian has {wanted}: train with model.{name}={wanted}.")
    if activation_of(model) is None:
        cure = "Train with model.activation=swish, relu, gelu or gelu-tanh."
        raise cannot(origin, "model.activation", model.activation, cure)


def _tie(model: TransformerSettings, weights: Mapping[str, Tensor]) -> Tie:
    """Return which tables are one: also two that an import made of one."""
    source, target = (weights.get(f"{side}_embedding.weight") for side in ("source", "target"))
    if model.tie == "none":
        return "none"
    if target is None or source is None or (source.shape == target.shape and torch.equal(source, target)):
        return "all"
    return "output"


def _tokenizer_texts(tokenizers: TokenizerPair, model: TransformerSettings) -> dict[str, str]:
    texts = tokenizer_files(tokenizers.source, _dress(tokenizers.source, model))
    if tokenizers.shared:
        return texts
    return texts | {TARGET_WHOLE: tokenizer_files(tokenizers.target, _dress(tokenizers.target, model))[WHOLE]}


def _dress(tokenizer: Tokenizer, model: TransformerSettings) -> Dress:
    specials = {"pad_token": tokenizer.pad, "unk_token": tokenizer.unknown, "eos_token": tokenizer.end}
    frame = Frame(before=(), between=(tokenizer.end,), after=(tokenizer.end,))
    return Dress(frame, specials, ("input_ids", "attention_mask"), model.longest)


def _notes(tokenizers: TokenizerPair) -> tuple[str, ...]:
    if tokenizers.shared:
        return ()
    return (f"AutoTokenizer reads sources; decode with PreTrainedTokenizerFast(tokenizer_file='…/{TARGET_WHOLE}')",)
