"""Marian as `transformers` names it: the Transformer of the paper, with all sines first and a bias on the output."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from heed.errors import RunError
from heed.models.published.config import Config
from heed.models.published.parts import Part, WrittenModel, gather, layer, scatter
from heed.models.transformer import TransformerSettings

FAMILY = "marian"
Tie = Literal["all", "output", "none"]  # which of source, target and output tables are one
MOST_POSITIONS = 16_384  # they are computed, so that no weight of the file says how many there are
_ACTIVATIONS = {
    "swish": "swish",
    "silu": "swish",
    "relu": "relu",
    "gelu": "gelu",
    "gelu_new": "gelu-tanh",
    "gelu_pytorch_tanh": "gelu-tanh",
}
# What every Marian has, of the choices that our Transformer leaves open.
SWITCHES: Mapping[str, object] = {
    "positions": "sinusoid-concat",
    "score": "scaled",
    "norm": "layer",
    "norm_place": "after",
    "residual": True,
}
# What no published model has, and ours cannot do with these weights.
_NEVER = ("normalize_before", "normalize_embedding", "add_final_layer_norm", "add_bias_logits")
_SHARED = "model.shared.weight"
_SOURCE, _TARGET, _OUTPUT = "model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight", "lm_head.weight"
_BIAS = "final_logits_bias"
_COMPUTED = ("model.encoder.embed_positions.weight", "model.decoder.embed_positions.weight")


@dataclass(frozen=True)
class PublishedMarian:
    """A Marian of another library: settings, weights by our names, and the ids that it counts on."""

    settings: TransformerSettings
    weights: Mapping[str, Tensor]  # as in `models.transformer.Transformer`
    start: int  # fed to the decoder before the first token
    end: int


def read_marian(config: Config, tensors: Mapping[str, Tensor], origin: str) -> PublishedMarian:
    """Return the model; refuse weights that are missing, not known or do not fit."""
    config = config.given()
    settings = _settings(config)
    found = dict(tensors)
    bias = found.get(_BIAS)
    if bias is not None:
        found[_BIAS] = bias.flatten()
    elif any(name in found for name in (_SHARED, _TARGET)):
        # Not there means none; which table says how many pieces there are depends on the ties.
        found[_BIAS] = torch.zeros(len(found[_SHARED if _SHARED in found else _TARGET]))
    weights = gather(list(_parts(settings)), found, _ignored(settings), origin)
    return PublishedMarian(settings, weights, config.id("decoder_start_token_id", 0), config.id("eos_token_id", 0))


def write_marian(settings: TransformerSettings, weights: Mapping[str, Tensor]) -> WrittenModel:
    """Return the model by their names; `read_marian` gives it back."""
    tensors = scatter(list(_parts(settings)), weights)
    tensors[_BIAS] = tensors[_BIAS][None]
    sides = {
        side: {
            f"{side}_layers": layers,
            f"{side}_attention_heads": settings.heads,
            f"{side}_ffn_dim": settings.feedforward,
        }
        for side, layers in (("encoder", settings.encoder_layers), ("decoder", settings.decoder_layers))
    }
    config: dict[str, object] = {
        "architectures": ["MarianMTModel"],
        "model_type": FAMILY,
        "vocab_size": len(weights["source_embedding.weight"]),
        "decoder_vocab_size": len(weights["vocabulary.bias"]),
        "d_model": settings.width,
        **sides["encoder"],
        **sides["decoder"],
        "activation_function": activation_of(settings),
        "dropout": settings.dropout,
        "attention_dropout": settings.attention_dropout,
        "activation_dropout": settings.dropout,
        "max_position_embeddings": settings.longest,
        "scale_embedding": True,
        "share_encoder_decoder_embeddings": settings.tie == "all",
        "tie_word_embeddings": settings.tie != "none",
        "is_encoder_decoder": True,
    }
    return WrittenModel(config, tensors)


def activation_of(settings: TransformerSettings) -> str | None:
    """Return what the activation is called there; None where it has no name."""
    return next((theirs for theirs, ours in _ACTIVATIONS.items() if ours == settings.activation), None)


def _settings(config: Config) -> TransformerSettings:
    _check_kind(config)
    return TransformerSettings(
        width=config.size("d_model"),
        heads=_alike(config, "attention_heads", 1_000),
        encoder_layers=config.layers("encoder_layers"),
        decoder_layers=config.layers("decoder_layers"),
        feedforward=_alike(config, "ffn_dim", 1_000_000),
        dropout=config.share("dropout", default=0.1),
        positions="sinusoid-concat",
        norm_place="after",
        activation=config.word("activation_function", _ACTIVATIONS, "gelu"),  # type: ignore[arg-type]
        tie=_tie(config),
        longest=config.size("max_position_embeddings", default=512, most=MOST_POSITIONS),
    )


def _check_kind(config: Config) -> None:
    if config.model_type != FAMILY:
        raise RunError(f"{config.origin}: model_type is {config.model_type!r}; this is for {FAMILY}.")
    if config.architecture not in ("", "MarianMTModel"):
        raise RunError(f"{config.origin}: architectures is {config.architecture!r}; MarianMTModel is read.")
    for name in _NEVER:
        if config.truth(name, False):
            raise RunError(f"{config.origin}: {name} is true; only Marian as it was published is read.")
    if not config.truth("scale_embedding", False):
        raise RunError(f"{config.origin}: scale_embedding is false; models that scale their embedding are read.")


def _alike(config: Config, name: str, most: int) -> int:
    """Return a size that encoder and decoder have in common."""
    source, target = (config.size(f"{side}_{name}", most=most) for side in ("encoder", "decoder"))
    if source != target:
        raise RunError(
            f"{config.origin}: encoder_{name} is {source} and decoder_{name} {target}; models in which both are equal "
            f"are read."
        )
    return source


def _tie(config: Config) -> Tie:
    shared, tied = config.truth("share_encoder_decoder_embeddings", True), config.truth("tie_word_embeddings", True)
    if shared and not tied:
        raise RunError(
            f"{config.origin}: tie_word_embeddings is false and share_encoder_decoder_embeddings true; tables that are "
            f"all one, or one for each side, are read."
        )
    return "all" if shared else "output" if tied else "none"


def _parts(settings: TransformerSettings) -> Iterator[Part]:
    if settings.tie == "all":
        yield Part("source_embedding.weight", (_SHARED,))
    else:
        yield Part("source_embedding.weight", (_SOURCE,))
        yield Part("target_embedding.weight", (_TARGET,))
    if settings.tie == "none":
        yield Part("vocabulary.weight", (_OUTPUT,))
    yield Part("vocabulary.bias", (_BIAS,))
    for number in range(settings.encoder_layers):
        yield from _block_parts(f"encoder.{number}", f"model.encoder.layers.{number}")
    for number in range(settings.decoder_layers):
        ours, theirs = f"decoder.{number}", f"model.decoder.layers.{number}"
        yield from _block_parts(ours, theirs)
        yield from layer(f"{ours}.cross.query", f"{theirs}.encoder_attn.q_proj")
        yield from layer(f"{ours}.cross.key_value", *(f"{theirs}.encoder_attn.{name}_proj" for name in "kv"))
        yield from layer(f"{ours}.cross.output", f"{theirs}.encoder_attn.out_proj")
        yield from layer(f"{ours}.around_cross.norm.norm", f"{theirs}.encoder_attn_layer_norm")


def _block_parts(ours: str, theirs: str) -> Iterator[Part]:
    """Yield what the blocks of encoder and decoder have in common."""
    yield from layer(f"{ours}.attention.project", *(f"{theirs}.self_attn.{name}_proj" for name in "qkv"))
    yield from layer(f"{ours}.attention.output", f"{theirs}.self_attn.out_proj")
    yield from layer(f"{ours}.feedforward.widen", f"{theirs}.fc1")
    yield from layer(f"{ours}.feedforward.narrow", f"{theirs}.fc2")
    yield from layer(f"{ours}.around_attention.norm.norm", f"{theirs}.self_attn_layer_norm")
    yield from layer(f"{ours}.around_feedforward.norm.norm", f"{theirs}.final_layer_norm")


def _ignored(settings: TransformerSettings) -> set[str]:
    """Return what may stand in a file without being read: positions, which are computed, and copies of tables."""
    copies = {"all": {_SOURCE, _TARGET, _OUTPUT}, "output": {_OUTPUT}, "none": set[str]()}[settings.tie]
    return {*_COMPUTED, *copies}
