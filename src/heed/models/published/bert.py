"""BERT, RoBERTa and DistilBERT as `transformers` names them: one network, three ways to write it down."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from torch import Tensor

from heed.errors import RunError
from heed.models.bert import BertSettings
from heed.models.published.config import Config
from heed.models.published.parts import Part, gather, layer

BertFamily = Literal["bert", "roberta", "distilbert"]
FAMILIES: tuple[BertFamily, ...] = ("bert", "roberta", "distilbert")
Head = Literal["none", "pretraining", "masked", "classes", "tags", "spans"]

ACTIVATIONS = {"gelu": "gelu", "gelu_new": "gelu-tanh", "gelu_pytorch_tanh": "gelu-tanh", "relu": "relu"}
HEADS: dict[str, Head] = {
    "Model": "none",
    "ForPreTraining": "pretraining",
    "ForMaskedLM": "masked",
    "ForSequenceClassification": "classes",
    "ForTokenClassification": "tags",
    "ForQuestionAnswering": "spans",
}
CLASSES: dict[BertFamily, str] = {"bert": "Bert", "roberta": "Roberta", "distilbert": "DistilBert"}
# RoBERTa counts positions from the id of its padding on: the first two rows of its table are never used.
ROBERTA_PAD = 1
UNUSED_POSITIONS = ROBERTA_PAD + 1
EPSILON = 1e-12  # of the norms of BERT; DistilBERT has no other


@dataclass(frozen=True)
class PublishedBert:
    """A BERT of another library: settings, and weights by our names."""

    family: BertFamily
    head: Head
    settings: BertSettings
    trunk: Mapping[str, Tensor]  # as in `models.bert.Bert`
    masked: Mapping[str, Tensor]  # as in `models.bert_pretraining.MaskedHead`; empty without one
    last: Mapping[str, Tensor]  # weight and bias of the last layer: next sentence, labels, tags or spans; may be empty
    labels: tuple[str, ...]


def read_bert(config: Config, tensors: Mapping[str, Tensor], origin: str) -> PublishedBert:
    """Return the model; refuse weights that are missing, not known or do not fit."""
    config = config.given()
    tensors = {_modern(name): tensor for name, tensor in tensors.items()}
    family = config.family(FAMILIES)
    head = config.head(CLASSES[family], HEADS)
    prefix = f"{family}." if any(name.startswith(f"{family}.") for name in tensors) else ""
    pooler = pooler_name(family, head, prefix)
    if head == "none" and f"{pooler}.weight" not in tensors:
        pooler = None  # an encoder may be kept without it; a head that stands on it may not
    settings = _settings(family, config, pooler is not None)
    if head in ("pretraining", "masked"):
        _check_masked(family, settings, config)
    groups = {
        "trunk": list(trunk_parts(family, settings, prefix, pooler)),
        "masked": list(masked_parts(family)) if head in ("pretraining", "masked") else [],
        "last": list(last_parts(family, head)),
    }
    found = gather([part for parts in groups.values() for part in parts], tensors, _ignored(family, prefix), origin)
    trunk, masked, last = ({part.ours: found[part.ours] for part in parts} for parts in groups.values())
    if masked:
        masked["vocabulary.weight"] = trunk["embedding.weight"]
    labels = config.labels() if head in ("classes", "tags") else ()
    if labels and config.values.get("problem_type") == "multi_label_classification":
        raise RunError(
            f"{config.origin}: problem_type is multi_label_classification; models that give each text one label are "
            f"read."
        )
    return PublishedBert(family, head, settings, trunk, masked, last, labels)


def pooler_name(family: BertFamily, head: Head, prefix: str) -> str | None:
    """Return where a trained layer over the vector of a whole text stands, if there is one under this head."""
    match family, head:
        case ("bert", "none" | "pretraining" | "classes") | ("roberta", "none"):
            return f"{prefix}pooler.dense"
        case ("roberta", "classes"):
            return "classifier.dense"
        case ("distilbert", "classes"):
            return "pre_classifier"
        case _:
            return None


def trunk_parts(family: BertFamily, settings: BertSettings, prefix: str, pooler: str | None) -> Iterator[Part]:
    """Yield the parts of the encoder."""
    base = f"{prefix}embeddings"
    yield Part("embedding.weight", (f"{base}.word_embeddings.weight",))
    skipped = UNUSED_POSITIONS if family == "roberta" else 0
    yield Part("positions.table", (f"{base}.position_embeddings.weight",), skipped=skipped)
    if settings.segments:
        yield Part("segment_embedding.weight", (f"{base}.token_type_embeddings.weight",))
    yield from layer("embedding_norm.norm", f"{base}.LayerNorm")
    for number in range(settings.layers):
        yield from _block_parts(family, number, prefix)
    if pooler is not None:
        yield from layer("pooler", pooler)


def masked_parts(family: BertFamily) -> Iterator[Part]:
    """Yield the parts of the head that names hidden words, its table left out: that is the embedding."""
    match family:
        case "bert":
            yield from layer("transform", "cls.predictions.transform.dense")
            yield from layer("norm.norm", "cls.predictions.transform.LayerNorm")
            yield Part("vocabulary.bias", ("cls.predictions.bias",))
        case "roberta":
            yield from layer("transform", "lm_head.dense")
            yield from layer("norm.norm", "lm_head.layer_norm")
            yield Part("vocabulary.bias", ("lm_head.bias",))
        case "distilbert":
            yield from layer("transform", "vocab_transform")
            yield from layer("norm.norm", "vocab_layer_norm")
            yield Part("vocabulary.bias", ("vocab_projector.bias",))


def last_parts(family: BertFamily, head: Head) -> Iterator[Part]:
    """Yield the parts of the last layer."""
    match head:
        case "pretraining":
            yield from layer("last", "cls.seq_relationship")
        case "classes":
            yield from layer("last", "classifier.out_proj" if family == "roberta" else "classifier")
        case "tags":
            yield from layer("last", "classifier")
        case "spans":
            yield from layer("last", "qa_outputs")
        case "none" | "masked":
            pass


# How each family calls the sizes of a BERT.
_BERT_NAMES = {
    "width": "hidden_size",
    "layers": "num_hidden_layers",
    "heads": "num_attention_heads",
    "feedforward": "intermediate_size",
    "activation": "hidden_act",
    "dropout": "hidden_dropout_prob",
    "attention_dropout": "attention_probs_dropout_prob",
}
NAMES: dict[BertFamily, dict[str, str]] = {
    "bert": _BERT_NAMES,
    "roberta": _BERT_NAMES,
    "distilbert": {
        "width": "dim",
        "layers": "n_layers",
        "heads": "n_heads",
        "feedforward": "hidden_dim",
        "activation": "activation",
        "dropout": "dropout",
        "attention_dropout": "attention_dropout",
    },
}


def _settings(family: BertFamily, config: Config, pooled: bool) -> BertSettings:
    names = NAMES[family]
    for name in ("is_decoder", "add_cross_attention", "sinusoidal_pos_embds"):
        if config.truth(name, False):
            raise RunError(f"{config.origin}: {name} is true; encoders with learned positions alone are read.")
    config.word("position_embedding_type", {"absolute": ""}, "absolute")
    segments = 0 if family == "distilbert" else config.size("type_vocab_size", default=2)
    if segments not in (0, 1, 2):
        raise RunError(f"{config.origin}: type_vocab_size is {segments}; models with 1 or 2 segments are read.")
    if family == "roberta" and config.id("pad_token_id", ROBERTA_PAD) != ROBERTA_PAD:
        raise RunError(
            f"{config.origin}: pad_token_id is {config.values['pad_token_id']}, and positions are counted from it; "
            f"only {ROBERTA_PAD}, as RoBERTa was published, is read."
        )
    positions = config.size("max_position_embeddings", default=512)
    return BertSettings(
        width=config.size(names["width"]),
        layers=config.layers(names["layers"]),
        heads=config.size(names["heads"]),
        feedforward=config.size(names["feedforward"]),
        activation=config.word(names["activation"], ACTIVATIONS, "gelu"),  # type: ignore[arg-type]
        dropout=config.share(names["dropout"], default=0.1),
        # Theirs is 0.1 as a rule: it would cost the fused kernel, and brings little when a model is fine-tuned.
        attention_dropout=0.0,
        segments=segments,  # type: ignore[arg-type]
        epsilon=EPSILON if family == "distilbert" else config.share("layer_norm_eps", default=EPSILON),
        longest=positions - (UNUSED_POSITIONS if family == "roberta" else 0),
        pooler=("relu" if family == "distilbert" else "tanh") if pooled else "none",
    )


def masked_activations(family: BertFamily) -> tuple[str, ...]:
    """Return with which activations of the blocks the head that names hidden words is ours."""
    # RoBERTa's head has the exact gelu whatever its blocks have; those of the others have what the blocks have.
    return ("gelu", "relu") if family == "roberta" else ("gelu", "gelu-tanh")


def _check_masked(family: BertFamily, settings: BertSettings, config: Config) -> None:
    if not config.truth("tie_word_embeddings", True):
        raise RunError(
            f"{config.origin}: tie_word_embeddings is false; models whose head names hidden words by the table of the "
            f"embedding are read."
        )
    if settings.activation not in masked_activations(family):
        name = NAMES[family]["activation"]
        raise RunError(
            f"{config.origin}: {name} is {config.values.get(name)!r}, with which the head that names hidden words "
            f"differs from ours. Read are {', '.join(masked_activations(family))}."
        )


def _block_parts(family: BertFamily, number: int, prefix: str) -> Iterator[Part]:
    ours = f"encoder.{number}"
    if family == "distilbert":
        base = f"{prefix}transformer.layer.{number}"
        yield from layer(f"{ours}.attention.project", *(f"{base}.attention.{name}_lin" for name in "qkv"))
        yield from layer(f"{ours}.attention.output", f"{base}.attention.out_lin")
        yield from layer(f"{ours}.around_attention.norm.norm", f"{base}.sa_layer_norm")
        yield from layer(f"{ours}.feedforward.widen", f"{base}.ffn.lin1")
        yield from layer(f"{ours}.feedforward.narrow", f"{base}.ffn.lin2")
        yield from layer(f"{ours}.around_feedforward.norm.norm", f"{base}.output_layer_norm")
        return
    base = f"{prefix}encoder.layer.{number}"
    names = ("query", "key", "value")
    yield from layer(f"{ours}.attention.project", *(f"{base}.attention.self.{name}" for name in names))
    yield from layer(f"{ours}.attention.output", f"{base}.attention.output.dense")
    yield from layer(f"{ours}.around_attention.norm.norm", f"{base}.attention.output.LayerNorm")
    yield from layer(f"{ours}.feedforward.widen", f"{base}.intermediate.dense")
    yield from layer(f"{ours}.feedforward.narrow", f"{base}.output.dense")
    yield from layer(f"{ours}.around_feedforward.norm.norm", f"{base}.output.LayerNorm")


def _modern(name: str) -> str:
    """Return what a tensor is called today: the first files kept the names of another library for norms."""
    if name.endswith(".gamma"):
        return name.removesuffix("gamma") + "weight"
    return name.removesuffix("beta") + "bias" if name.endswith(".beta") else name


def _ignored(family: BertFamily, prefix: str) -> set[str]:
    """Return what may stand in a file without being read: counters, and copies of the embedding and of its bias."""
    copies = {
        "bert": {"cls.predictions.decoder.weight", "cls.predictions.decoder.bias"},
        "roberta": {"lm_head.decoder.weight", "lm_head.decoder.bias"},
        "distilbert": {"vocab_projector.weight"},
    }[family]
    # Some files keep a pooler under a head that does not use it.
    pooler = {f"{prefix}pooler.dense.weight", f"{prefix}pooler.dense.bias"}
    return {f"{prefix}embeddings.position_ids", f"{prefix}embeddings.token_type_ids", *copies, *pooler}
