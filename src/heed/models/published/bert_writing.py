"""A BERT of ours as `transformers` names it: the values of its `config.json`, and its tensors."""

from heed.models.bert import BertSettings
from heed.models.published.bert import (
    ACTIVATIONS,
    CLASSES,
    HEADS,
    NAMES,
    UNUSED_POSITIONS,
    BertFamily,
    Head,
    PublishedBert,
    last_parts,
    masked_parts,
    pooler_name,
    trunk_parts,
)
from heed.models.published.parts import WrittenModel, scatter


def write_bert(bert: PublishedBert) -> WrittenModel:
    """Return the model by their names; `read_bert` gives it back."""
    family, head, settings = bert.family, bert.head, bert.settings
    prefix = "" if head == "none" else f"{family}."
    pooler = pooler_name(family, head, prefix) if "pooler.weight" in bert.trunk else None
    tensors = scatter(list(trunk_parts(family, settings, prefix, pooler)), bert.trunk)
    if bert.masked:
        tensors |= scatter(list(masked_parts(family)), bert.masked)
    tensors |= scatter(list(last_parts(family, head)), bert.last)
    config = _config(family, head, settings, len(bert.trunk["embedding.weight"]))
    if bert.labels:
        config["id2label"] = {str(number): label for number, label in enumerate(bert.labels)}
        config["label2id"] = {label: number for number, label in enumerate(bert.labels)}
    return WrittenModel(config, tensors)


def _config(family: BertFamily, head: Head, settings: BertSettings, pieces: int) -> dict[str, object]:
    # Several of their names may mean one of ours: the first of them is written.
    words = {ours: theirs for theirs, ours in reversed(ACTIVATIONS.items())}
    suffix = next(suffix for suffix, known in HEADS.items() if known == head)
    names = NAMES[family]
    values: dict[str, object] = {
        "architectures": [CLASSES[family] + suffix],
        "model_type": family,
        "vocab_size": pieces,
        names["width"]: settings.width,
        names["layers"]: settings.layers,
        names["heads"]: settings.heads,
        names["feedforward"]: settings.feedforward,
        names["activation"]: words[settings.activation],
        names["dropout"]: settings.dropout,
        names["attention_dropout"]: settings.attention_dropout,
        "max_position_embeddings": settings.longest + (UNUSED_POSITIONS if family == "roberta" else 0),
        "tie_word_embeddings": True,
    }
    if family != "distilbert":
        values |= {"type_vocab_size": settings.segments, "layer_norm_eps": settings.epsilon}
    return values
