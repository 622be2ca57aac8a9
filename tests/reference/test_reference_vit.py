"""ViT and DINOv2 of the `transformers` library, read from the folders that it writes: equal outputs and attention."""

import os
from pathlib import Path
from types import ModuleType

import pytest
import torch
from torch import Tensor, nn

from heed.layers.trace import Trace
from heed.models.published.vit import PublishedVit, resized
from heed.models.vit import PRESETS, ImageClassifier, Vit
from heed.models.weights import load_weights, parameter_count
from heed.runs.image_base import read_published_vit

os.environ["HF_HUB_OFFLINE"] = "1"
transformers: ModuleType = pytest.importorskip("transformers")

FAMILIES = ("ViT", "Dinov2", "Dinov2WithRegisters")
SIZES = {
    "hidden_size": 12, "num_hidden_layers": 3, "num_attention_heads": 3, "image_size": 20, "patch_size": 4,
    "attn_implementation": "eager",
}  # fmt: skip
OWN = {
    "ViT": {"intermediate_size": 28},
    "Dinov2": {"mlp_ratio": 2},
    "Dinov2WithRegisters": {"mlp_ratio": 3, "num_register_tokens": 2},
}


def theirs(name: str, **changes: object) -> nn.Module:
    """Return a tiny model of theirs with random weights, none of them at a special value."""
    family = max((family for family in FAMILIES if name.startswith(family)), key=len)
    torch.manual_seed(len(name))
    config = getattr(transformers, f"{family}Config")(**{**SIZES, **OWN[family], **changes})
    model: nn.Module = getattr(transformers, name)(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return model


def ours(model: nn.Module, folder: Path) -> PublishedVit:
    """Return what we read from the folder that their model is saved in."""
    model.save_pretrained(folder)  # type: ignore[operator]
    return read_published_vit(folder)


def encoder_of(vit: PublishedVit) -> Vit:
    encoder = Vit(vit.settings).eval()
    load_weights(encoder, vit.trunk, "theirs")
    return encoder


def pictures(side: int, count: int = 2) -> Tensor:
    return torch.randn(count, 3, side, side, generator=torch.Generator().manual_seed(side))


def same(found: Tensor, expected: Tensor) -> None:
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-5)


@torch.no_grad()
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(("side", "patch"), [(20, 4), (12, 6), (14, 7)])
def test_the_vectors_and_the_attention_of_every_layer_are_theirs(
    family: str, side: int, patch: int, tmp_path: Path
) -> None:
    model = theirs(f"{family}Model", image_size=side, patch_size=patch)
    encoder, trace, images = encoder_of(ours(model, tmp_path)), Trace(), pictures(side)
    expected = model(images, output_attentions=True)
    same(encoder.hidden(images, trace), expected.last_hidden_state)
    assert len(trace.weights) == len(expected.attentions) == 3
    for layer, weights_BHTT in enumerate(expected.attentions):
        same(trace.weights[f"encoder.{layer}.self"], weights_BHTT)


@torch.no_grad()
@pytest.mark.parametrize("family", FAMILIES)
def test_what_a_classifier_says_is_what_theirs_says(family: str, tmp_path: Path) -> None:
    model = theirs(f"{family}ForImageClassification", id2label={0: "rose", 1: "tulip", 2: "daisy"})
    vit = ours(model, tmp_path)
    classifier = ImageClassifier(vit.settings, 3).eval()
    head = {f"head.{name.removeprefix('last.')}": tensor for name, tensor in vit.last.items()}
    load_weights(classifier, {f"encoder.{name}": tensor for name, tensor in vit.trunk.items()} | head, "theirs")
    same(classifier(pictures(20)), model(pictures(20)).logits)
    assert vit.labels == ("rose", "tulip", "daisy")


@torch.no_grad()
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("side", [8, 16, 28, 36])
def test_positions_for_another_side_are_those_that_theirs_interpolates(family: str, side: int, tmp_path: Path) -> None:
    model = theirs(f"{family}Model")
    vit = resized(ours(model, tmp_path), side)
    assert (vit.settings.image, vit.preprocessing.side) == (side, side)
    asked = {"interpolate_pos_encoding": True} if family == "ViT" else {}  # the others always do
    expected = model(pictures(side), **asked).last_hidden_state
    same(encoder_of(vit).hidden(pictures(side)), expected)


@torch.no_grad()
@pytest.mark.parametrize(
    "changes",
    [
        {"hidden_act": "gelu_pytorch_tanh"},
        {"hidden_act": "relu"},
        {"layer_norm_eps": 0.1},
        {"qkv_bias": False},
        {"num_hidden_layers": 1, "num_attention_heads": 2},
        {"image_size": [20, 20], "patch_size": [5, 5]},
    ],
    ids=str,
)
@pytest.mark.parametrize("family", ["ViT", "Dinov2WithRegisters"])
def test_every_setting_of_theirs_is_read(family: str, changes: dict[str, object], tmp_path: Path) -> None:
    model = theirs(f"{family}Model", **changes)
    same(encoder_of(ours(model, tmp_path)).hidden(pictures(20)), model(pictures(20)).last_hidden_state)


@pytest.mark.slow
def test_vit_base_has_as_many_parameters_as_theirs() -> None:
    with torch.device("meta"):
        their_count = parameter_count(transformers.ViTModel(transformers.ViTConfig(), add_pooling_layer=False))
        assert parameter_count(Vit(PRESETS["vit-base"])) == their_count
