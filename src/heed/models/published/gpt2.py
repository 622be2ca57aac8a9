"""GPT-2 as `transformers` names it: settings and weights of a language model of ours."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from torch import Tensor

from heed.errors import RunError
from heed.models.language_transformer import LanguageTransformerSettings
from heed.models.published.config import Config
from heed.models.published.parts import Part, WrittenModel, gather, layer, scatter

FAMILY = "gpt2"
EPSILON = 1e-5  # of our norms, and of every GPT-2 that was published
_ACTIVATIONS = {"gelu_new": "gelu-tanh", "gelu_pytorch_tanh": "gelu-tanh", "gelu": "gelu", "relu": "relu"}
# What none of the published models has, and ours cannot do.
_NEVER = ("add_cross_attention", "scale_attn_by_inverse_layer_idx")
_BODY = "transformer."
# What every GPT-2 has, of the choices that our language models leave open.
SWITCHES: Mapping[str, object] = {
    "positions": "learned",
    "score": "scaled",
    "norm": "layer",
    "norm_place": "before",
    "residual": True,
    "output_bias": False,
    "scale_embedding": False,
}


@dataclass(frozen=True)
class PublishedGpt2:
    """A GPT-2 of another library: settings, and weights by our names."""

    settings: LanguageTransformerSettings
    weights: Mapping[str, Tensor]  # as in `models.language_transformer.LanguageTransformer`


def read_gpt2(config: Config, tensors: Mapping[str, Tensor], origin: str) -> PublishedGpt2:
    """Return the model; refuse weights that are missing, not known or do not fit."""
    config = config.given()
    settings = _settings(config)
    prefix = _BODY if any(name.startswith(_BODY) for name in tensors) else ""
    return PublishedGpt2(settings, gather(list(_parts(settings, prefix)), tensors, _ignored(settings, prefix), origin))


def write_gpt2(settings: LanguageTransformerSettings, weights: Mapping[str, Tensor]) -> WrittenModel:
    """Return the model by their names; `read_gpt2` gives it back."""
    config: dict[str, object] = {
        "architectures": ["GPT2LMHeadModel"],
        "model_type": FAMILY,
        "vocab_size": len(weights["embedding.weight"]),
        "n_embd": settings.width,
        "n_head": settings.heads,
        "n_layer": settings.layers,
        "n_inner": settings.feedforward,
        "n_positions": settings.longest,
        "activation_function": activation_of(settings),
        "embd_pdrop": settings.dropout,
        "resid_pdrop": settings.dropout,
        "attn_pdrop": settings.attention_dropout,
        "layer_norm_epsilon": EPSILON,
        "tie_word_embeddings": settings.tie,
    }
    return WrittenModel(config, scatter(list(_parts(settings, _BODY)), weights))


def activation_of(settings: LanguageTransformerSettings) -> str | None:
    """Return what the activation is called there; None where it has no name."""
    return next((theirs for theirs, ours in _ACTIVATIONS.items() if ours == settings.activation), None)


def _settings(config: Config) -> LanguageTransformerSettings:
    if config.model_type != FAMILY:
        raise RunError(f"{config.origin}: model_type is {config.model_type!r}; this is for {FAMILY}.")
    for name in _NEVER:
        if config.truth(name, False):
            raise RunError(f"{config.origin}: {name} is true; only GPT-2 as it was published is read.")
    if not config.truth("scale_attn_weights", True):
        raise RunError(f"{config.origin}: scale_attn_weights is false; only GPT-2 as it was published is read.")
    epsilon = config.share("layer_norm_epsilon", default=EPSILON)
    if epsilon != EPSILON:
        raise RunError(f"{config.origin}: layer_norm_epsilon is {epsilon}; only {EPSILON} is read.")
    width = config.size("n_embd")
    return LanguageTransformerSettings(
        width=width,
        heads=config.size("n_head"),
        layers=config.layers("n_layer"),
        feedforward=config.size("n_inner", default=4 * width),
        dropout=config.share("resid_pdrop", default=0.1),
        positions="learned",
        activation=config.word("activation_function", _ACTIVATIONS, "gelu_new"),  # type: ignore[arg-type]
        tie=config.truth("tie_word_embeddings", True),
        output_bias=False,
        scale_embedding=False,
        longest=config.size("n_positions", "n_ctx", default=1024),
    )


def _parts(settings: LanguageTransformerSettings, prefix: str) -> Iterator[Part]:
    yield Part("embedding.weight", (f"{prefix}wte.weight",))
    yield Part("positions.table", (f"{prefix}wpe.weight",))
    for number in range(settings.layers):
        ours, theirs = f"decoder.{number}", f"{prefix}h.{number}"
        yield from layer(f"{ours}.attention.project", f"{theirs}.attn.c_attn", transposed=True)
        yield from layer(f"{ours}.attention.output", f"{theirs}.attn.c_proj", transposed=True)
        yield from layer(f"{ours}.feedforward.widen", f"{theirs}.mlp.c_fc", transposed=True)
        yield from layer(f"{ours}.feedforward.narrow", f"{theirs}.mlp.c_proj", transposed=True)
        yield from layer(f"{ours}.around_attention.norm.norm", f"{theirs}.ln_1")
        yield from layer(f"{ours}.around_feedforward.norm.norm", f"{theirs}.ln_2")
    yield from layer("decoder_norm.norm", f"{prefix}ln_f")
    if not settings.tie:
        yield Part("vocabulary.weight", ("lm_head.weight",))


def _ignored(settings: LanguageTransformerSettings, prefix: str) -> set[str]:
    """Return what may stand in a file without being read: masks, which hold no weights, and a copy of the embedding."""
    blocks = range(settings.layers)
    masks = {f"{prefix}h.{number}.attn.{name}" for number in blocks for name in ("bias", "masked_bias")}
    return masks | {"lm_head.weight"}
