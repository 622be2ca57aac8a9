"""A run whose products are oneDNN's learns as one by torch's own, and goes on bit for bit."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from PIL import Image
from torch import Tensor

from heed import api
from heed.layers import onednn_linear
from heed.layers.products import has_onednn
from heed.runs.folder import open_run
from heed.training import muon, optimizer, trainer
from heed.training.settings import OptimizerName

pytestmark = pytest.mark.skipif(not has_onednn(), reason="this build of torch has no oneDNN")

SETTINGS: dict[str, dict[str, object]] = {
    "model": {"image": 16, "patch": 8, "width": 16, "heads": 2, "layers": 2, "feedforward": 24},
    "training": {"steps": 6, "tokens_per_batch": 60, "validations": 2, "threads": 1},
}
BOTH = pytest.mark.parametrize("by", ["adamw", "muon"])


@pytest.fixture
def all_by_onednn(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Let every product be oneDNN's, whatever the machine and however few its rows; count them."""
    counted: list[int] = []
    plainly = onednn_linear.times_transposed

    def noticed(left_NK: Tensor, right_MK: Tensor, bias_M: Tensor | None = None) -> Tensor:
        counted.append(len(left_NK))
        return plainly(left_NK, right_MK, bias_M)

    with monkeypatch.context() as patched:
        patched.setattr(trainer, "gains_by_onednn", lambda: True)
        patched.setattr(optimizer, "gains_by_onednn", lambda: True)
        for module in (onednn_linear, muon):
            patched.setattr(module, "ENOUGH", 0)
            patched.setattr(module, "times_transposed", noticed)
        yield counted


@pytest.fixture
def pictures(tmp_path: Path) -> str:
    for number in range(80):
        path = tmp_path / "pictures" / ("dark" if number % 2 else "light") / f"{number}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (16, 16), (100 * (number % 2) + number,) * 3).save(path)
    return str(tmp_path / "pictures")


def settings(by: OptimizerName) -> dict[str, object]:
    return {**SETTINGS, "training": {**SETTINGS["training"], "optimizer": by}}


def losses(run: Path) -> list[float]:
    return [float(str(line["loss"])) for line in open_run(run).read_metrics() if "loss" in line]


def weights(run: Path) -> dict[str, Tensor]:
    return dict(open_run(run).newest_checkpoint().checkpoint.tensors["weights"])


@BOTH
def test_a_run_by_onednn_learns_what_a_run_by_torch_learns(
    by: OptimizerName, pictures: str, tmp_path: Path, all_by_onednn: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    api.train("image", pictures, model="vit-tiny", settings=settings(by), out=tmp_path / "wide")
    assert all_by_onednn
    monkeypatch.setattr(trainer, "gains_by_onednn", lambda: False)
    monkeypatch.setattr(optimizer, "gains_by_onednn", lambda: False)
    all_by_onednn.clear()
    api.train("image", pictures, model="vit-tiny", settings=settings(by), out=tmp_path / "plain")
    assert not all_by_onednn
    assert losses(tmp_path / "wide") == pytest.approx(losses(tmp_path / "plain"), rel=1e-3)


@BOTH
def test_a_run_by_onednn_that_stops_goes_on_bit_for_bit(
    by: OptimizerName, pictures: str, tmp_path: Path, all_by_onednn: list[int]
) -> None:
    api.train("image", pictures, model="vit-tiny", settings=settings(by), out=tmp_path / "whole")
    api.train(
        "image", pictures, model="vit-tiny", settings=settings(by), out=tmp_path / "cut", watch=lambda at: at.step < 3
    )
    api.resume(tmp_path / "cut")
    assert all_by_onednn
    whole, cut = weights(tmp_path / "whole"), weights(tmp_path / "cut")
    assert list(whole) == list(cut)
    assert all(torch.equal(whole[name], cut[name]) for name in whole)
