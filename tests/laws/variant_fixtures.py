"""What the models of a folder of laws are reached by: the fixtures `variants`, `settings`, `make_model` and `model`."""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import pytest
import torch
from shaking import shake
from torch import nn

Build = Callable[[Any], nn.Module]


def fixtures_of(all_variants: Sequence[Any], name_of: Callable[[Any], str], build: Build) -> tuple[Any, ...]:
    """Return the four fixtures, of models in evaluation mode with no weight at a special value."""

    def shaken(own: Any, seed: int, dtype: torch.dtype) -> nn.Module:
        torch.manual_seed(seed)
        model = build(own).eval().to(dtype)
        shake(model)
        return model

    @functools.cache
    def shared_model(own: Any, dtype: torch.dtype) -> nn.Module:
        """Return a model that many laws look at and none changes."""
        return shaken(own, seed=5, dtype=dtype)

    @pytest.fixture
    def variants() -> Sequence[Any]:
        """Return the settings of all variants."""
        return all_variants

    @pytest.fixture(params=all_variants, ids=name_of)
    def settings(request: pytest.FixtureRequest) -> Any:
        """Return the settings of one variant."""
        return request.param

    @pytest.fixture
    def make_model(settings: Any) -> Callable[..., nn.Module]:
        """Return a maker of models of this variant, each seed with other weights."""
        return lambda seed, dtype=torch.float64: shaken(settings, seed, dtype)

    @pytest.fixture
    def model(settings: Any, dtype: torch.dtype) -> nn.Module:
        """Return the model of this variant."""
        return shared_model(settings, dtype)

    return variants, settings, make_model, model
