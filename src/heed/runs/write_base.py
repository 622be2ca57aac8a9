"""`LanguageBase`: what a run of `write` starts from: a language model that was trained before, with its vocabulary.

A path leads to a run of `write`, or to a folder of GPT-2 in the format of Hugging Face.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from torch import Tensor

from heed.errors import UsageError
from heed.files.published import is_published, read_published
from heed.models.language import LanguageModel, LanguageSettings
from heed.models.language_rnn import LanguageRnnSettings
from heed.models.language_transformer import LanguageTransformerSettings
from heed.models.published.config import Config
from heed.models.published.gpt2 import read_gpt2
from heed.models.weights import load_weights
from heed.runs import assembling
from heed.runs.folder import RunFolder, is_run, open_run
from heed.runs.write_settings import WriteSettings
from heed.settings import from_dict
from heed.tokens.published import check_rows, read_tokenizer
from heed.tokens.settings import TokenizerSettings
from heed.tokens.tokenizer import Tokenizer

TABLE = "positions.table"  # of learned positions


@dataclass(frozen=True)
class LanguageBase:
    """A trained language model with its vocabulary."""

    origin: str
    settings: LanguageSettings
    tokenizer: Tokenizer
    tokens: TokenizerSettings  # what its vocabulary is
    weights: Mapping[str, Tensor]


def load_language_base(path: Path) -> LanguageBase:
    """Return the language model at the path."""
    if not is_run(path) and is_published(path):
        return _from_folder(path)
    return _from_run(open_run(path))  # says what is there instead, and which runs are near


def fitted(own: LanguageSettings, base: LanguageBase) -> LanguageSettings:
    """Return the settings of a model that starts from the base: its sizes, the person's own dropouts and window."""
    known = base.settings
    if isinstance(known, LanguageTransformerSettings) and isinstance(own, LanguageTransformerSettings):
        longest = min(own.longest, known.longest)
        return replace(known, dropout=own.dropout, attention_dropout=own.attention_dropout, longest=longest)
    if isinstance(known, LanguageRnnSettings) and isinstance(own, LanguageRnnSettings):
        return replace(known, dropout=own.dropout, longest=own.longest)  # a state reaches back without end
    return replace(known, dropout=own.dropout)


def start_from(model: LanguageModel, base: LanguageBase) -> tuple[str, ...]:
    """Copy the weights into the model; return what a person should know."""
    weights, longest = dict(base.weights), model.settings.longest
    if TABLE in weights:
        weights[TABLE] = weights[TABLE][:longest]
    load_weights(model, weights, base.origin)
    note = f"starting from {base.origin}: {len(weights):,} tensors taken over"
    if longest == base.settings.longest or isinstance(base.settings, LanguageRnnSettings):
        return (note,)
    return (note, f"reading {longest} tokens at a time, of {base.settings.longest} that it could: see model.longest")


def _from_run(folder: RunFolder) -> LanguageBase:
    values = folder.read_settings()
    if values.get("task") != "write":
        raise UsageError(
            f"{folder.path} is a run of {values.get('task')}, but a language model starts from another: give a run of "
            f"`heed train write`, or a folder of GPT-2 in the format of Hugging Face."
        )
    settings = from_dict(WriteSettings, values, f"{folder.path}: settings")
    tokenizer = assembling.read_tokenizer(folder)
    tokens = assembling.token_settings(folder, tokenizer)
    return LanguageBase(str(folder.path), settings.model, tokenizer, tokens, folder.read_best().tensors)


def _from_folder(path: Path) -> LanguageBase:
    published = read_published(path)
    gpt2 = read_gpt2(Config(published.config, str(path / "config.json")), published.tensors, str(path))
    tokenizer = read_tokenizer(path, lowercase=False)
    check_rows(tokenizer, len(gpt2.weights["embedding.weight"]), path)
    cut = {
        name: tensor[: tokenizer.size].clone() if name in ("embedding.weight", "vocabulary.weight") else tensor
        for name, tensor in gpt2.weights.items()
    }
    return LanguageBase(str(path), gpt2.settings, tokenizer, tokenizer.settings, cut)
