"""A ViT of ours as `transformers` names it: the values of its `config.json`, and its tensors."""

from collections.abc import Mapping

from torch import Tensor

from heed.models.published.bert import ACTIVATIONS
from heed.models.published.parts import WrittenModel, scatter
from heed.models.published.vit import CLASSES, HEADS, PublishedVit, VitHead, last_parts, trunk_parts
from heed.models.vit import VitSettings


def write_vit(vit: PublishedVit) -> WrittenModel:
    """Return the model by their names; `read_vit` gives it back."""
    prefix = "" if vit.head == "none" else f"{vit.family}."
    tensors = scatter(list(trunk_parts(vit.family, vit.settings, prefix)), vit.trunk)
    tensors |= scatter(list(last_parts(vit.head)), vit.last)
    if vit.family != "vit":
        # Theirs stands for hidden patches, which only pre-training has.
        tensors[f"{prefix}embeddings.mask_token"] = tensors[f"{prefix}layernorm.bias"].new_zeros(1, vit.settings.width)
    whole = {name: _wrapped(name, tensor, vit.settings.patch) for name, tensor in tensors.items()}
    return WrittenModel(_config(vit), whole)


def _wrapped(name: str, tensor: Tensor, patch: int) -> Tensor:
    """Return a tensor of ours in the shape of theirs."""
    if name.endswith("cls_token"):
        return tensor.reshape(1, 1, -1)
    if name.endswith(("position_embeddings", "register_tokens")):
        return tensor.unsqueeze(0)
    if name.endswith("patch_embeddings.projection.weight"):
        return tensor.reshape(len(tensor), -1, patch, patch)
    return tensor


def _config(vit: PublishedVit) -> Mapping[str, object]:
    settings = vit.settings
    # Several of their names may mean one of ours: the first of them is written.
    words = {ours: theirs for theirs, ours in reversed(ACTIVATIONS.items())}
    values: dict[str, object] = {
        "architectures": [CLASSES[vit.family] + _suffix(vit.head)],
        "model_type": vit.family,
        "image_size": settings.image,
        "patch_size": settings.patch,
        "num_channels": 3,
        "hidden_size": settings.width,
        "num_hidden_layers": settings.layers,
        "num_attention_heads": settings.heads,
        "hidden_act": words[settings.activation],
        "hidden_dropout_prob": settings.dropout,
        "attention_probs_dropout_prob": settings.attention_dropout,
        "layer_norm_eps": settings.epsilon,
        "qkv_bias": settings.qkv_bias,
        "dtype": "float32",
        **_own(vit, settings),
    }
    if vit.labels:
        values["id2label"] = {str(number): label for number, label in enumerate(vit.labels)}
        values["label2id"] = {label: number for number, label in enumerate(vit.labels)}
    return values


def _own(vit: PublishedVit, settings: VitSettings) -> dict[str, object]:
    """Return what only some of the families have."""
    if vit.family == "vit":
        return {"intermediate_size": settings.feedforward}
    assert settings.feedforward % settings.width == 0, "a DINOv2 says its inner width as a multiple of the width"
    registers = {"num_register_tokens": settings.registers} if vit.family == "dinov2_with_registers" else {}
    return {
        "mlp_ratio": settings.feedforward // settings.width,
        "layerscale_value": settings.layer_scale,
        "drop_path_rate": settings.drop_path,
        "use_swiglu_ffn": False,
        **registers,
    }


def _suffix(head: VitHead) -> str:
    return next(suffix for suffix, known in HEADS.items() if known == head)
