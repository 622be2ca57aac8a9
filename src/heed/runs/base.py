"""`Base`: what a run starts from: the weights and the vocabulary of a BERT that was trained before, here or elsewhere.

A path leads to a run of ours (`heed pretrain`, or a task that was trained with a BERT) or to a folder in the format of
Hugging Face. Only the encoder is taken: heads belong to what it was trained for.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import torch
from torch import Tensor

from heed.errors import RunError, UsageError
from heed.files.published import is_published, read_json_object, read_published
from heed.models.bert import Bert, BertSettings
from heed.models.published.bert import PublishedBert, read_bert
from heed.models.published.config import Config
from heed.models.weights import load_weights, weights_of
from heed.runs import assembling
from heed.runs.folder import RunFolder, is_run, open_run
from heed.settings import from_dict
from heed.tokens.published import check_rows, read_tokenizer
from heed.tokens.settings import TokenizerSettings
from heed.tokens.tokenizer import Tokenizer

# Where the encoder stands in the models of a run.
_ENCODERS = ("bert.", "encoder.")
_HEADS = ("masked.", "next.")
TOKENIZER_CONFIG = "tokenizer_config.json"


@dataclass(frozen=True)
class Base:
    """A trained encoder with its vocabulary."""

    origin: str
    settings: BertSettings
    tokenizer: Tokenizer
    tokens: TokenizerSettings  # what its vocabulary is
    weights: Mapping[str, Tensor]  # as in `models.bert.Bert`
    heads: Mapping[str, Tensor] = field(default_factory=dict)  # as in `BertPretraining`, where it was pre-trained


def load_base(path: Path) -> Base:
    """Return the encoder at the path."""
    path = path.absolute()  # what a run notes of its base must hold wherever it is read
    if not is_run(path) and is_published(path):
        return _from_folder(path)
    return _from_run(open_run(path))  # says what is there instead, and which runs are near


def start_from(encoder: Bert, base: Base) -> tuple[str, ...]:
    """Copy the weights into the encoder; return what a person should know. What the base lacks stays as it was made."""
    own = weights_of(encoder)
    fresh = {name: tensor for name, tensor in own.items() if name.startswith("pooler.") and name not in base.weights}
    given = {name: tensor for name, tensor in base.weights.items() if name in own or not name.startswith("pooler.")}
    longest = encoder.settings.longest
    if longest < base.settings.longest:
        given["positions.table"] = given["positions.table"][:longest]
    load_weights(encoder, {**given, **fresh}, base.origin)
    made = "the head and the layer over the text's vector are new" if fresh else "the head is new"
    return (f"starting from {base.origin}: {len(given):,} tensors taken over; {made}",)


def fitted(settings: BertSettings, base: Base) -> BertSettings:
    """Return the settings of a model that starts from the base: its sizes, with the person's own other choices.

    It reads no further than the base has positions; `asked` refuses a person who asks for more.
    """
    return replace(
        base.settings,
        dropout=settings.dropout,
        attention_dropout=settings.attention_dropout,
        pooling=settings.pooling,
        pooler=settings.pooler,
        word_dropout=settings.word_dropout,
        longest=min(settings.longest, base.settings.longest),
    )


def _from_run(folder: RunFolder) -> Base:
    model = folder.read_settings().get("model")
    if not isinstance(model, Mapping) or model.get("kind") != "bert":
        kind = model.get("kind") if isinstance(model, Mapping) else model
        raise UsageError(
            f"{folder.path} holds a {kind} model; --from needs a BERT: a run of `heed pretrain`, or a folder in the "
            f"format of Hugging Face."
        )
    best = folder.read_best()
    weights = {
        name.removeprefix(prefix): tensor
        for prefix in _ENCODERS
        for name, tensor in best.tensors.items()
        if name.startswith(prefix)
    }
    settings = from_dict(BertSettings, model, f"{folder.path}: settings.model")
    heads = {name: tensor for name, tensor in best.tensors.items() if name.startswith(_HEADS)}
    tokenizer = assembling.read_tokenizer(folder)
    tokens = assembling.token_settings(folder, tokenizer)
    return Base(str(folder.path), settings, tokenizer, tokens, weights, heads)


def _from_folder(path: Path) -> Base:
    bert, tokenizer = read_bert_folder(path)
    return Base(str(path), bert.settings, tokenizer, tokenizer.settings, bert.trunk, pretraining_heads(bert))


def read_bert_folder(path: Path) -> tuple[PublishedBert, Tokenizer]:
    """Return the model in a folder of Hugging Face's format and its tokenizer; refuse those that do not fit."""
    published = read_published(path)
    bert = read_bert(Config(published.config, str(path / "config.json")), published.tensors, str(path))
    tokenizer = read_tokenizer(path, lowercase=lowercases(path))
    check_rows(tokenizer, len(bert.trunk["embedding.weight"]), path)
    trunk = {**bert.trunk, "embedding.weight": bert.trunk["embedding.weight"][: tokenizer.size].clone()}
    masked = {
        name: tensor[: tokenizer.size].clone() if name.startswith("vocabulary.") else tensor
        for name, tensor in bert.masked.items()
    }
    return replace(bert, trunk=_checked(trunk, bert.settings, path), masked=masked), tokenizer


def pretraining_heads(bert: PublishedBert) -> dict[str, Tensor]:
    """Return the heads of a published model by their names in `BertPretraining`."""
    masked = {
        f"masked.{name}": tensor
        for name, tensor in bert.masked.items()
        if name != "vocabulary.weight"  # the embedding, under another name
    }
    pairs = bert.last if bert.head == "pretraining" else {}
    return masked | {f"next.{name.removeprefix('last.')}": tensor for name, tensor in pairs.items()}


def lowercases(path: Path) -> bool:
    """Tell whether an old BERT folder folds capitals."""
    if not (path / TOKENIZER_CONFIG).is_file():
        return False
    return bool(read_json_object(path / TOKENIZER_CONFIG).get("do_lower_case", False))


def _checked(weights: Mapping[str, Tensor], settings: BertSettings, path: Path) -> Mapping[str, Tensor]:
    """Return the weights if they fit a model of these settings."""
    with torch.device("meta"):
        own = weights_of(Bert(settings, len(weights["embedding.weight"])))
    wrong = [
        f"{name} is {tuple(weights[name].shape)}, not {tuple(tensor.shape)}"
        for name, tensor in own.items()
        if weights[name].shape != tensor.shape
    ]
    if wrong:
        more = f"; and {len(wrong) - 5} more" if len(wrong) > 5 else ""
        raise RunError(
            f"The weights of {path} do not fit its config.json: {'; '.join(wrong[:5])}{more}. "
            f"Get both files from one place."
        )
    return weights
