"""A published ViT with anything at all in one place of its two configs is read or refused in a sentence of ours."""

import itertools

import pytest
import torch
from torch import Tensor

from heed.errors import HeedError
from heed.models.published.config import Config
from heed.models.published.image_processor import Preprocessing, write_preprocessing
from heed.models.published.vit import PublishedVit, read_vit
from heed.models.published.vit_writing import write_vit
from heed.models.vit import ImageClassifier, VitSettings
from heed.models.weights import weights_of

TINY = VitSettings(
    image=4, patch=2, width=4, heads=2, layers=1, feedforward=4, pooling="both", registers=1, layer_scale=1.0
)
ODD: tuple[object, ...] = (
    None, True, False, -1, 0, 1, 3, 999_999, 10**400, 0.5, -0.0, 1e300, float("inf"), float("nan"),
    "", "x" * 5000, "\ud800", [], [1], [2, 2], [10**400, 2], [[]], [0.5, 0.5, float("nan")], [10**400, 1, 1],
    ["a", 1, 1], {}, {"height": 4}, {"height": 4, "width": []}, {"height": True, "width": True},
    {"shortest_edge": -4}, {"0": "a", "1": "a"}, {"0": 3}, {"x": {}},
)  # fmt: skip


def published() -> tuple[dict[str, object], dict[str, Tensor], dict[str, object]]:
    """Return the config, the weights and the processor's config of a tiny classifier."""
    torch.manual_seed(1)
    weights = weights_of(ImageClassifier(TINY, 2))
    trunk = {name.removeprefix("encoder."): each for name, each in weights.items() if name.startswith("encoder.")}
    last = {"last.weight": weights["head.weight"], "last.bias": weights["head.bias"]}
    preprocessing = Preprocessing(4, fit="crop")
    written = write_vit(PublishedVit("dinov2_with_registers", "classes", TINY, trunk, last, ("a", "b"), preprocessing))
    return dict(written.config), dict(written.tensors), write_preprocessing(preprocessing)


CONFIG, TENSORS, PROCESSOR = published()


def test_what_is_not_malformed_is_read() -> None:
    vit = read_vit(Config(CONFIG, "config"), TENSORS, Config(PROCESSOR, "processor"), "here")
    assert (vit.settings, vit.labels) == (TINY, ("a", "b"))


@pytest.mark.parametrize("name", CONFIG)
def test_any_value_in_the_config_is_read_or_refused(name: str) -> None:
    for value in ODD:
        try:
            read_vit(Config({**CONFIG, name: value}, "config"), TENSORS, Config(PROCESSOR, "processor"), "here")
        except HeedError as error:
            assert len(str(error)) < 2000, name


@pytest.mark.parametrize("name", [*PROCESSOR, "image_processor"])
def test_any_value_in_the_config_of_the_processor_is_read_or_refused(name: str) -> None:
    for value in ODD:
        try:
            found = read_vit(Config(CONFIG, "config"), TENSORS, Config({**PROCESSOR, name: value}, "processor"), "here")
        except HeedError as error:
            assert len(str(error)) < 2000, name
        else:
            assert all(abs(number) < 1e7 for number in (*found.preprocessing.mean, *found.preprocessing.std))


def test_any_shape_of_any_weight_is_read_or_refused() -> None:
    shapes = [(), (0,), (1,), (4,), (4, 4), (1, 1, 4), (4, 3, 2, 2), (1, 2, 2, 1, 1)]
    for name, shape in itertools.product(TENSORS, shapes):
        tensors = {**TENSORS, name: torch.zeros(shape)}
        try:
            vit = read_vit(Config(CONFIG, "config"), tensors, None, "here")
        except HeedError as error:
            assert len(str(error)) < 2000, name
        else:
            # An axis of length one more or less is no other weight.
            assert name.endswith("mask_token") or torch.zeros(shape).numel() == TENSORS[name].numel()
            assert vit.settings == TINY
