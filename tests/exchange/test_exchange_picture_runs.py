"""Runs of pictures: made of published classifiers, started from, written again; and they say what theirs said."""

import json
from pathlib import Path

import foreign
import pytest
import torch
from foreign import opened, transformers
from PIL import Image

import heed
from heed.errors import HeedError, RunError, UsageError
from heed.models.vit import Vit
from heed.prediction.picture_classifier import PictureClassifier
from heed.runs.image_base import PREPROCESSOR_CONFIG, load_image_base, preprocessing_of, start_from
from heed.runs.image_settings import ImageSettings

LABELS = {0: "rose", 1: "tulip", 2: "daisy"}
PROCESSOR = {"size": {"height": 12, "width": 12}, "image_mean": [0.5, 0.4, 0.3], "image_std": [0.5, 0.2, 0.25]}
CUTTING = {"size": {"shortest_edge": 20}, "do_center_crop": True, "crop_size": {"height": 20, "width": 20}}


def publish(family: str, folder: Path, processor: dict[str, object], **changes: object) -> Path:
    """Save a tiny classifier of theirs with no weight at a special value, and return its folder."""
    torch.manual_seed(3)
    sizes = {"hidden_size": 12, "num_hidden_layers": 2, "num_attention_heads": 2, "image_size": 12, "patch_size": 4}
    config = getattr(transformers, f"{family}Config")(**{"id2label": LABELS, **sizes, **changes})
    model = getattr(transformers, f"{family}ForImageClassification")(config)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.2 * torch.randn_like(parameter))
    model.save_pretrained(folder)
    (folder / PREPROCESSOR_CONFIG).write_text(json.dumps(processor))
    return folder


def picture(path: Path) -> Path:
    """Save a picture that is no square and has no flat parts."""
    across, down = Image.linear_gradient("L").resize((31, 19)), Image.radial_gradient("L").resize((31, 19))
    Image.merge("RGB", (across, down, across.transpose(Image.Transpose.FLIP_LEFT_RIGHT))).save(path)
    return path


def predictor_of(run: Path) -> PictureClassifier:
    predictor = heed.load(run)
    assert isinstance(predictor, PictureClassifier)
    return predictor


@torch.no_grad()
def test_an_imported_classifier_gives_their_probabilities_from_the_file_of_a_picture(tmp_path: Path) -> None:
    processor_class = getattr(transformers, "ViTImageProcessorPil", None)
    if processor_class is None:
        pytest.skip("this transformers has no processor that needs no torchvision")
    folder, file = publish("ViT", tmp_path / "in", PROCESSOR), picture(tmp_path / "a.png")
    made = heed.import_model(folder, tmp_path / "run")
    assert (made.task, made.notes) == ("image", ())
    (said,) = predictor_of(tmp_path / "run").predict([file])
    pixels = processor_class.from_pretrained(folder)(Image.open(file), return_tensors="pt")["pixel_values"]
    logits = opened(folder, "ViTForImageClassification")(pixels).logits[0]
    expected = dict(zip(LABELS.values(), logits.softmax(dim=0).tolist(), strict=True))
    assert said.probabilities == pytest.approx(expected, abs=1e-5)


@torch.no_grad()
@pytest.mark.parametrize("family", ["ViT", "Dinov2", "Dinov2WithRegisters"])
def test_a_run_that_was_imported_is_exported_with_equal_outputs(family: str, tmp_path: Path) -> None:
    folder = publish(family, tmp_path / "in", PROCESSOR)
    heed.import_model(folder, tmp_path / "run")
    made = heed.export_model(tmp_path / "run", "hf", tmp_path / "out")
    assert made.kind == f"{family}ForImageClassification"
    images = torch.randn(2, 3, 12, 12, generator=torch.Generator().manual_seed(2))
    before, after = (opened(each, made.kind)(images).logits for each in (folder, tmp_path / "out"))
    torch.testing.assert_close(after, before, rtol=0, atol=1e-6)
    written = json.loads((tmp_path / "out" / PREPROCESSOR_CONFIG).read_text())
    assert {name: written[name] for name in PROCESSOR} == PROCESSOR
    heed.export_model(tmp_path / "run", "hf", tmp_path / "out", force=True)  # all that is there is known to be ours


@torch.no_grad()
def test_a_model_whose_processor_makes_another_size_is_imported_for_that_size(tmp_path: Path) -> None:
    folder = publish("Dinov2WithRegisters", tmp_path / "in", CUTTING)
    heed.import_model(folder, tmp_path / "run")
    predictor = predictor_of(tmp_path / "run")
    assert (predictor.model.settings.image, predictor.fit) == (20, "crop")
    images = torch.randn(2, 3, 20, 20, generator=torch.Generator().manual_seed(2))
    expected = opened(folder, "Dinov2WithRegistersForImageClassification")(images).logits
    torch.testing.assert_close(predictor.model(images), expected, rtol=0, atol=1e-5)


def test_an_imported_run_is_something_to_start_from(tmp_path: Path) -> None:
    heed.import_model(publish("ViT", tmp_path / "in", PROCESSOR), tmp_path / "run")
    base, published = load_image_base(tmp_path / "run"), load_image_base(tmp_path / "in")
    assert (base.settings, base.preprocessing) == (published.settings, published.preprocessing)
    assert base.weights.keys() == published.weights.keys()
    assert all(torch.equal(base.weights[name], tensor) for name, tensor in published.weights.items())
    assert f"starting from {tmp_path / 'run'}" in start_from(Vit(base.settings), base, "head")[0]


def test_a_run_of_another_task_is_nothing_to_start_from(tmp_path: Path) -> None:
    foreign.publish("BertModel", tmp_path / "in")
    heed.import_model(tmp_path / "in", tmp_path / "run")
    with pytest.raises(UsageError, match="is a run of pretrain; --from needs one of image"):
        load_image_base(tmp_path / "run")


def test_the_colours_of_a_run_are_its_preprocessing() -> None:
    said = preprocessing_of(ImageSettings())
    assert (said.side, said.mean, said.std, said.fit) == (64, (0.5, 0.5, 0.5), (0.5, 0.5, 0.5), "squash")


@torch.no_grad()
def test_an_encoder_without_a_head_is_something_to_start_from_and_goes_out_again(tmp_path: Path) -> None:
    sizes = {"hidden_size": 12, "num_hidden_layers": 1, "num_attention_heads": 2, "image_size": 12, "patch_size": 4}
    theirs = transformers.ViTModel(transformers.ViTConfig(**sizes, intermediate_size=8), add_pooling_layer=False).eval()
    theirs.save_pretrained(tmp_path / "in")
    made = heed.import_model(tmp_path / "in", tmp_path / "run")
    assert "it has no head: start a run from it with --from" in made.notes[-1]
    base = load_image_base(tmp_path / "run")
    encoder = Vit(base.settings).eval()
    start_from(encoder, base, "head")
    images = torch.randn(2, 3, 12, 12, generator=torch.Generator().manual_seed(2))
    torch.testing.assert_close(encoder.hidden(images), theirs(images).last_hidden_state, rtol=0, atol=1e-5)
    with pytest.raises(HeedError):  # no label is made up
        heed.load(tmp_path / "run")
    assert heed.export_model(tmp_path / "run", "hf", tmp_path / "out").kind == "ViTModel"
    again = transformers.ViTModel.from_pretrained(tmp_path / "out", add_pooling_layer=False).eval()
    torch.testing.assert_close(again(images).last_hidden_state, theirs(images).last_hidden_state, rtol=0, atol=1e-6)


def test_what_was_done_to_pictures_is_fetched_from_the_hub_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def download(model: str, patterns: list[str]) -> Path:
        asked.extend(patterns)
        return publish("ViT", tmp_path / "in", PROCESSOR)

    monkeypatch.setattr("heed.exchange.hub.huggingface_hub", object())
    monkeypatch.setattr("heed.exchange.hub._download", download)
    heed.import_model("hub:someone/vit", tmp_path / "run")
    assert PREPROCESSOR_CONFIG in asked


def test_another_task_or_a_single_label_is_refused(tmp_path: Path) -> None:
    folder = publish("ViT", tmp_path / "in", PROCESSOR)
    with pytest.raises(UsageError, match="--task is tag, but the model in"):
        heed.import_model(folder, tmp_path / "run", task="tag")
    alone = publish("ViT", tmp_path / "alone", PROCESSOR, id2label={0: "rose"})
    with pytest.raises(RunError, match="knows one label, 'rose'"):
        heed.import_model(alone, tmp_path / "run")
