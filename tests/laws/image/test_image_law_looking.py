"""Looking changes nothing, and what it shows of a picture is what was computed."""

import pytest
import torch
from looking import check_weights, compare_mixtures

from heed.layers.trace import Trace, sites_of

SITES = {"encoder.0.self", "encoder.1.self"}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_looking_at_a_picture_changes_nothing_bit_for_bit(model, images) -> None:
    usual_BC = model(images)
    trace = Trace()
    assert torch.equal(model(images, trace=trace), usual_BC)
    assert set(trace.weights) == set(model.sites) == SITES


def test_weights_are_one_over_all_positions_of_a_picture(model, images, same, settings) -> None:
    trace = Trace()
    model(images, trace=trace)
    rows, columns = settings.grid
    positions = model.encoder.patches_begin + rows * columns
    everything = torch.ones(len(images), 1, positions, positions, dtype=torch.bool)
    for site, weights_BHTS in trace.weights.items():
        check_weights(site, weights_BHTS, everything, same)


def test_the_weights_in_the_trace_are_those_that_mixed_the_patches(make_model, images, same) -> None:
    model = make_model(seed=5)
    compared = compare_mixtures(model, same)
    model(images, trace=Trace())
    assert len(compared) == len(SITES)
    assert set(compared) == set(sites_of(model))


def test_only_the_asked_layer_is_recorded(model, images) -> None:
    for pattern, expected in (("encoder.1.*", {"encoder.1.self"}), ("nowhere", set())):
        trace = Trace(pattern)
        model(images, trace=trace)
        assert set(trace.weights) == expected
