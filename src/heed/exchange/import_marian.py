"""Marian from a folder of Hugging Face's format, as a run of `translate`."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor

from heed.errors import RunError, UsageError
from heed.exchange.imported import Imported, check_weights
from heed.files.published import CONFIG, read_published
from heed.models.published.config import Config
from heed.models.published.marian import PublishedMarian, read_marian
from heed.runs import translation_run
from heed.runs.folder import TokenizerTexts
from heed.runs.settings import TranslationSettings
from heed.tasks.translate import TokenizerPair
from heed.tokens.marian import read_marian_tokenizers
from heed.tokens.published import check_rows


def import_marian(path: Path, task: str | None) -> Imported:
    """Return the model in the folder as a run of `translate`."""
    if task not in (None, "translate"):
        raise UsageError(
            f"--task is {task}, but the Marian in {path} can only become a run of translate. Leave it out."
        )
    published = read_published(path)
    marian = read_marian(Config(published.config, str(path / CONFIG)), published.tensors, str(path))
    found = read_marian_tokenizers(path)
    tokenizers = TokenizerPair(found.source, found.target)
    _check_ids(marian, tokenizers, path)
    marian = _with_own_tables(marian) if marian.settings.tie == "all" and not tokenizers.shared else marian
    weights = _cut(marian.weights, tokenizers, path)
    settings = TranslationSettings(tokens=found.source.settings, shared_tokens=tokenizers.shared, model=marian.settings)
    with torch.device("meta"):
        model = translation_run.build_model(settings, tokenizers)
    check_weights(model, weights, str(path))
    texts = TokenizerTexts(found.source.to_json(), None if tokenizers.shared else found.target.to_json())
    return Imported(settings, texts, weights, notes=found.notes)


def _check_ids(marian: PublishedMarian, tokenizers: TokenizerPair, path: Path) -> None:
    target = tokenizers.target
    for name, said, known in (
        ("decoder_start_token_id", marian.start, target.start),
        ("eos_token_id", marian.end, target.end),
    ):
        if said != known:
            raise RunError(
                f"{path / CONFIG}: {name} is {said}, but the tokenizer has {target.piece(known)!r}, which is {known}, "
                f"there. Get all files from one place."
            )


def _with_own_tables(marian: PublishedMarian) -> PublishedMarian:
    """Give each side its table: the two are equal, but text is cut differently on the two sides."""
    table = marian.weights["source_embedding.weight"]
    weights = {**marian.weights, "target_embedding.weight": table.clone()}
    return replace(marian, settings=replace(marian.settings, tie="output"), weights=weights)


def _cut(weights: Mapping[str, Tensor], tokenizers: TokenizerPair, path: Path) -> dict[str, Tensor]:
    """Return the tables without rows that pad them to a round number."""
    sides = {
        "source_embedding.weight": tokenizers.source,
        "target_embedding.weight": tokenizers.target,
        "vocabulary.weight": tokenizers.target,
        "vocabulary.bias": tokenizers.target,
    }
    for name, tokenizer in sides.items():
        if name in weights:
            check_rows(tokenizer, len(weights[name]), path)
    return {name: each[: sides[name].size].clone() if name in sides else each for name, each in weights.items()}
