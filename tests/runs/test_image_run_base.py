"""A run of `image` that starts from a trained ViT: a run of ours or a folder of Hugging Face's format."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
import torch
from pictured import write_pictures

from heed import api
from heed.errors import UsageError
from heed.models.weights import weights_of
from heed.runs.defaults import resolve
from heed.runs.image_base import load_image_base
from heed.runs.image_settings import ImageSettings
from heed.runs.session import new_run

VIT = {
    "image": 24,
    "patch": 6,
    "width": 12,
    "heads": 2,
    "layers": 3,
    "feedforward": 20,
    "stem": "patches",
    "pooling": "first",
}
COLOURS = {"mean": [0.4, 0.5, 0.6], "spread": [0.2, 0.3, 0.4]}
QUICK = {"steps": 2, "tokens_per_batch": 50, "validations": 1, "threads": 1, "average": 0.0, "warmup": 0.0}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with `pictures`, a finished run `base` and the same as a folder `published`."""
    folder = tmp_path_factory.mktemp("bases")
    settings = {"model": VIT, "colours": COLOURS, "pictures": {"fit": "crop"}, "training": QUICK}
    api.train("image", str(write_pictures(folder / "pictures")), settings=settings, out=folder / "base")
    api.export_model(folder / "base", "hf", folder / "published")
    return folder


def started(
    folder: Path,
    base: str,
    tmp_path: Path,
    model: str | None = None,
    model_settings: dict[str, Any] | None = None,
    training: dict[str, Any] = QUICK,
) -> AbstractContextManager[Any]:
    """Return a new run that starts from a base, before its first step."""
    whole = {"base": str(folder / base), "training": training, "model": model_settings or {}}
    return new_run("image", str(folder / "pictures"), model=model, settings=whole, out=tmp_path / "next")


@pytest.mark.parametrize("base", ["base", "published"])
@pytest.mark.parametrize("model", [None, "vit"])
def test_a_new_run_has_every_weight_of_the_encoder_and_sees_pictures_as_it_did(
    folder: Path, tmp_path: Path, base: str, model: str | None
) -> None:
    with started(folder, base, tmp_path, model) as run:
        given, own = load_image_base(folder / base).weights, weights_of(run.task.model.encoder)
        assert own.keys() == given.keys()
        assert all(torch.equal(own[name], given[name]) for name in own)
        settings = run.settings
        assert (settings.model.image, settings.model.patch, settings.model.layers) == (24, 6, 3)
        assert settings.colours.mean == pytest.approx(COLOURS["mean"])
        assert settings.colours.spread == pytest.approx(COLOURS["spread"])
        assert settings.pictures.fit == "crop"
        assert any("the head is new" in note for note in run.notes)


def test_a_folder_that_was_exported_is_the_run_it_was_made_of(folder: Path) -> None:
    run, published = load_image_base(folder / "base"), load_image_base(folder / "published")
    assert run.weights.keys() == published.weights.keys()
    assert all(torch.equal(run.weights[name], published.weights[name]) for name in run.weights)
    assert (run.settings.grid, run.preprocessing) == (published.settings.grid, published.preprocessing)


def test_the_side_and_the_pooling_are_the_bases_unless_the_person_says_otherwise(folder: Path, tmp_path: Path) -> None:
    mean = {"model": {**VIT, "image": 12, "pooling": "mean"}, "training": QUICK}
    api.train("image", str(folder / "pictures"), settings=mean, out=tmp_path / "mean")
    usual = resolve("image", [], None, {"base": str(tmp_path / "mean")})
    assert isinstance(usual, ImageSettings)
    assert (usual.model.image, usual.model.pooling) == (12, "mean")
    assert (usual.training.optimizer, resolve("image", [], None, {}).training.optimizer) == ("adamw", "muon")
    with started(folder, "base", tmp_path, model=None) as run:
        assert (run.settings.model.image, run.settings.model.pooling) == (24, "first")


def test_another_side_reads_the_positions_on_its_own_grid(folder: Path, tmp_path: Path) -> None:
    with started(folder, "base", tmp_path, model_settings={"image": 36}) as run:
        assert run.task.model.encoder.patch_grid == (6, 6)
        assert any("positions of 4 x 4 patches read as 6 x 6" in note for note in run.notes)


def test_a_mean_of_the_patches_leaves_the_first_position_of_the_base_behind(folder: Path, tmp_path: Path) -> None:
    with started(folder, "base", tmp_path, model_settings={"pooling": "mean"}) as run:
        given, own = load_image_base(folder / "base").weights, weights_of(run.task.model.encoder)
        assert given.keys() - own.keys() == {"embedding.first_D"}
        assert torch.equal(own["embedding.positions.table"], given["embedding.positions.table"][1:])


def test_a_model_with_sizes_of_its_own_does_not_start_from_another(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"--model is vit-tiny, but --from brings its own sizes"):
        started(folder, "base", tmp_path, model="vit-tiny").__enter__()
    assert not (tmp_path / "next").exists()


def test_a_folder_without_a_model_is_nothing_to_start_from(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"pictures is no model of pictures. Give a run of `heed train image`"):
        started(folder, "pictures", tmp_path).__enter__()


def test_frozen_layers_keep_what_the_base_knew(folder: Path, tmp_path: Path) -> None:
    with started(folder, "base", tmp_path, training={**QUICK, "frozen_layers": 2}) as run:
        before = {name: tensor.clone() for name, tensor in weights_of(run.task.model).items()}
        for _ in run.reports():
            pass
        after = weights_of(run.task.model)
    kept = {name for name in before if torch.equal(before[name], after[name])}
    frozen = ("encoder.embedding.", "encoder.encoder.0.", "encoder.encoder.1.")
    assert kept == {name for name in before if name.startswith(frozen)}


def test_what_is_near_the_pixels_learns_more_slowly_than_the_head(folder: Path, tmp_path: Path) -> None:
    with started(folder, "base", tmp_path, training={**QUICK, "layer_decay": 0.5}) as run:
        rates = {
            id(each): group["lr"]
            for report in run.reports()
            if report.step == 1
            for optimizer in run.trainer.optimizers
            for group in optimizer.param_groups
            for each in group["params"]
        }
        named = dict(run.task.model.named_parameters())
        shares = {name: rates[id(each)] / rates[id(named["head.weight"])] for name, each in named.items()}
    assert shares["encoder.encoder_norm.norm.weight"] == 1
    blocks = [shares[f"encoder.encoder.{block}.attention.output.weight"] for block in (2, 1, 0)]
    assert blocks == pytest.approx([0.5, 0.25, 0.125])
    below = [share for name, share in shares.items() if name.startswith("encoder.embedding.")]
    assert below == pytest.approx([0.0625] * len(below))
