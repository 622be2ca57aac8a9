"""Classifiers of pictures come in and go out: what is said stays the same; what does not fit is refused by name."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from foreign import opened, transformers
from safetensors.torch import load_file, save_file
from torch import Tensor

from heed.errors import HeedError, RunError, SettingsError, UsageError
from heed.exchange.export_vit import export_vit
from heed.exchange.published_folder import write_folder
from heed.models.published.image_processor import IMAGENET_MEAN, IMAGENET_STD, Preprocessing
from heed.models.published.vit import PublishedVit
from heed.models.vit import ImageClassifier, Vit, VitSettings
from heed.models.weights import weights_of
from heed.runs.image_base import PREPROCESSOR_CONFIG, load_image_base, read_published_vit, start_from

VIT = VitSettings(image=12, patch=4, width=8, heads=2, layers=2, feedforward=16)
LABELS = ("rose", "tulip", "daisy")
SQUASHED = Preprocessing(12, (0.5, 0.25, 0.75), (0.5, 1.0, 0.25), "squash")
CUT = Preprocessing(12, IMAGENET_MEAN, IMAGENET_STD, "crop")


def pictures(side: int = 12) -> Tensor:
    return torch.randn(2, 3, side, side, generator=torch.Generator().manual_seed(1))


def classifier(settings: VitSettings) -> ImageClassifier:
    """Return a classifier with no weight at a special value."""
    torch.manual_seed(7)
    model = ImageClassifier(settings, len(LABELS)).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return model


def export(model: ImageClassifier, out: Path, preprocessing: Preprocessing = SQUASHED) -> str:
    """Write the folder and return the class that opens it."""
    exported = export_vit(model.settings, weights_of(model), LABELS, preprocessing, "run")
    write_folder(out, exported.model, exported.texts, force=False)
    return json.loads((out / "config.json").read_text())["architectures"][0]


@torch.no_grad()
@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({}, "ViTForImageClassification"),
        ({"feedforward": 12, "layer_scale": 0.5}, "ViTForImageClassification"),
        ({"positions": "sinusoid", "qkv_bias": False}, "ViTForImageClassification"),
        ({"positions": "none", "activation": "gelu-tanh", "epsilon": 0.01}, "ViTForImageClassification"),
        ({"pooling": "both"}, "Dinov2ForImageClassification"),
        ({"pooling": "both", "layer_scale": 0.5, "activation": "relu"}, "Dinov2ForImageClassification"),
        ({"pooling": "both", "registers": 3, "layer_scale": 0.5}, "Dinov2WithRegistersForImageClassification"),
        ({"registers": 2, "positions": "sinusoid"}, "Dinov2WithRegistersForImageClassification"),
    ],
    ids=str,
)
def test_an_export_says_there_what_it_said_here(changes: dict[str, object], name: str, tmp_path: Path) -> None:
    model = classifier(replace(VIT, **changes))  # type: ignore[arg-type]
    assert export(model, tmp_path / "out") == name
    # In float64, because a norm over eight numbers may blow up what float32 rounds.
    theirs, images = opened(tmp_path / "out", name).double(), pictures().double()
    torch.testing.assert_close(theirs(images).logits, model.double()(images), rtol=0, atol=1e-6)
    assert theirs.config.id2label == dict(enumerate(LABELS))


@pytest.mark.parametrize("family", ["ViT", "Dinov2", "Dinov2WithRegisters"])
def test_what_comes_in_and_goes_out_again_has_the_same_names_and_bytes(family: str, tmp_path: Path) -> None:
    vit = read_published_vit(published(family, tmp_path / "in"))
    head = {f"head.{name.removeprefix('last.')}": tensor for name, tensor in vit.last.items()}
    weights = {f"encoder.{name}": tensor for name, tensor in vit.trunk.items()} | head
    exported = export_vit(vit.settings, weights, vit.labels, vit.preprocessing, "run")
    write_folder(tmp_path / "out", exported.model, exported.texts, force=False)
    before, after = (load_file(tmp_path / folder / "model.safetensors") for folder in ("in", "out"))
    assert before.keys() == after.keys()
    assert all(torch.equal(after[name], tensor) for name, tensor in before.items())
    assert read_published_vit(tmp_path / "out").settings == vit.settings


@pytest.mark.parametrize("preprocessing", [SQUASHED, CUT], ids=["squash", "crop"])
def test_what_was_done_to_pictures_goes_out_and_comes_in_again(preprocessing: Preprocessing, tmp_path: Path) -> None:
    export(classifier(VIT), tmp_path / "out", preprocessing)
    vit = read_published_vit(tmp_path / "out")
    assert vit.preprocessing == preprocessing
    assert vit.notes == ()
    assert (vit.settings, vit.labels) == (replace(VIT, drop_path=0.0), LABELS)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"pooling": "mean"},
            r"run cannot be exported: model.pooling is mean\. Train with model.pooling=first or both",
        ),
        ({"stem": "overlapping"}, "model.stem is overlapping"),
        ({"activation": "swiglu"}, "model.activation is swiglu"),
        ({"feedforward": 12, "registers": 1}, "model.feedforward is 12.*multiple of model.width=8"),
    ],
)
def test_a_switch_that_they_do_not_have_is_refused(changes: dict[str, object], message: str) -> None:
    model = classifier(replace(VIT, **changes))  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=message):
        export_vit(model.settings, weights_of(model), LABELS, SQUASHED, "run")


def published(family: str, folder: Path, head: str = "ForImageClassification") -> Path:
    """Save a tiny model of theirs and return its folder."""
    torch.manual_seed(3)
    sizes = {"hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2, "image_size": 12, "patch_size": 4}
    own = {"intermediate_size": 20} if family == "ViT" else {"mlp_ratio": 2}
    config = getattr(transformers, f"{family}Config")(**sizes, **own, id2label=dict(enumerate(LABELS)))
    getattr(transformers, family + head)(config).save_pretrained(folder)
    return folder


def edit(folder: Path, change: Callable[[dict[str, Tensor]], object]) -> None:
    tensors = load_file(folder / "model.safetensors")
    change(tensors)
    save_file(tensors, folder / "model.safetensors", {"format": "pt"})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda each: each.pop("vit.layernorm.bias"), "vit.layernorm.bias is missing"),
        (lambda each: each.update(strange=torch.zeros(1)), "strange is not known"),
        (
            lambda each: each.update({"vit.layernorm.bias": torch.zeros(9), "vit.layernorm.weight": torch.zeros(7)}),
            r"encoder_norm.norm.weight is \(7,\), not \(8,\); encoder_norm.norm.bias is \(9,\), not \(8,\)",
        ),
        (
            lambda each: each.update({"vit.embeddings.position_embeddings": torch.zeros(1, 9, 8)}),
            r"embedding.positions.table is \(9, 8\), not \(10, 8\)",
        ),
        (
            lambda each: each.update({"vit.embeddings.patch_embeddings.projection.weight": torch.zeros(8, 3, 2, 2)}),
            r"embedding.patches.project.weight is \(8, 12\), not \(8, 48\)",
        ),
        (
            lambda each: each.update({"classifier.weight": torch.zeros(4, 8)}),
            r"3 labels.*classifier.weight is \(4, 8\)",
        ),
    ],
)
def test_weights_that_do_not_fit_are_refused_by_name(
    change: Callable[[dict[str, Tensor]], object], message: str, tmp_path: Path
) -> None:
    edit(published("ViT", tmp_path / "in"), change)
    with pytest.raises(RunError, match=message):
        read_published_vit(tmp_path / "in")


@pytest.mark.parametrize(
    ("family", "changes", "error", "message"),
    [
        ("ViT", {"model_type": "vitdet"}, RunError, "model_type is 'vitdet'; this is for vit, dinov2"),
        (
            "ViT",
            {"architectures": ["ViTForMaskedImageModeling"]},
            RunError,
            "'ViTForMaskedImageModeling', which is not",
        ),
        ("ViT", {"num_channels": 1}, RunError, r"num_channels is 1; coloured pictures \(3\)"),
        ("ViT", {"image_size": [12, 16]}, RunError, r"image_size is '\[12, 16\]'"),
        ("ViT", {"image_size": 13}, SettingsError, "model.image is 13, model.patch is 4: 1 pixels"),
        ("ViT", {"hidden_act": "selu"}, RunError, "hidden_act is 'selu'"),
        ("Dinov2", {"use_swiglu_ffn": True}, RunError, "use_swiglu_ffn is true"),
    ],
)
def test_a_config_that_is_not_read_is_refused_with_its_value(
    family: str, changes: dict[str, object], error: type[HeedError], message: str, tmp_path: Path
) -> None:
    config = published(family, tmp_path / "in") / "config.json"
    config.write_text(json.dumps({**json.loads(config.read_text()), **changes}))
    with pytest.raises(error, match=message):
        read_published_vit(tmp_path / "in")


def with_processor(folder: Path, values: dict[str, object]) -> PublishedVit:
    (folder / PREPROCESSOR_CONFIG).write_text(json.dumps(values))
    return read_published_vit(folder)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, Preprocessing(12)),
        ({"size": 16, "image_mean": [0, 0.5, 1], "image_std": [1, 2, 3]}, Preprocessing(16, (0, 0.5, 1), (1, 2, 3))),
        ({"size": {"height": 8, "width": 8}, "do_normalize": False}, Preprocessing(8, (0, 0, 0), (1, 1, 1))),
        ({"size": {"shortest_edge": 20}}, Preprocessing(20, fit="crop")),
        ({"size": {"shortest_edge": 20}, "do_center_crop": True, "crop_size": 16}, Preprocessing(16, fit="crop")),
    ],
)
def test_what_was_done_to_pictures_is_read_in_every_spelling(
    values: dict[str, object], expected: Preprocessing, tmp_path: Path
) -> None:
    assert with_processor(published("ViT", tmp_path / "in"), values).preprocessing == expected


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"image_mean": [0.5, 0.5]}, r"image_mean is '\[0.5, 0.5\]', but must be three numbers"),
        ({"image_mean": [0.5, 0.5, "x"]}, "image_mean is .*'x'"),
        ({"image_std": [0.5, 0.0, 0.5]}, r"image_std is '\[0.5, 0.0, 0.5\]', but must be three numbers above 0"),
        ({"rescale_factor": 1.0}, "rescale_factor is '1.0'"),
        ({"do_rescale": False}, "do_rescale is 'False'"),
        ({"size": {"height": 8, "width": 12}}, "size is"),
        ({"size": -4}, "size is '-4'"),
    ],
)
def test_what_cannot_be_done_to_pictures_here_is_refused(
    values: dict[str, object], message: str, tmp_path: Path
) -> None:
    with pytest.raises(RunError, match=message):
        with_processor(published("ViT", tmp_path / "in"), values)


def test_what_a_person_should_know_of_a_folder_is_noted(tmp_path: Path) -> None:
    published("ViT", tmp_path / "in", head="Model")
    without = read_published_vit(tmp_path / "in").notes
    assert "no preprocessor_config.json: mean and std are taken to be 0.5" in without[0]
    assert "(pooler) is left out" in without[1]
    assert "filter 3; here bilinear" in with_processor(tmp_path / "in", {"resample": 3}).notes[0]
    assert "those of ImageNet" in read_published_vit(published("Dinov2", tmp_path / "dino")).notes[0]


@torch.no_grad()
@pytest.mark.parametrize("pooling", ["first", "both", "mean"])
def test_an_encoder_starts_from_a_folder_on_a_grid_of_its_own(pooling: str, tmp_path: Path) -> None:
    base = load_image_base(published("ViT", tmp_path / "in"))
    encoder = Vit(replace(base.settings, image=20, pooling=pooling))  # type: ignore[arg-type]
    (told, *_) = start_from(encoder, base, "head")
    assert f"starting from {tmp_path / 'in'}" in told
    assert "positions of 3 x 3 patches read as 5 x 5" in told
    for name, tensor in weights_of(encoder).items():
        if name != "embedding.positions.table":
            assert torch.equal(tensor, base.weights[name])
    assert len(encoder.embedding.positions.table) == 25 + (pooling != "mean")


def test_a_path_that_leads_to_no_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=f"{tmp_path} is no model of pictures"):
        load_image_base(tmp_path)


def test_their_processor_opens_what_we_write(tmp_path: Path) -> None:
    processor_class = getattr(transformers, "ViTImageProcessorPil", None)
    if processor_class is None:
        pytest.skip("this transformers has no processor that needs no torchvision")
    export(classifier(VIT), tmp_path / "out")
    processor = processor_class.from_pretrained(tmp_path / "out")
    assert (tuple(processor.image_mean), tuple(processor.image_std)) == (SQUASHED.mean, SQUASHED.std)
    assert dict(processor.size) == {"height": 12, "width": 12}
