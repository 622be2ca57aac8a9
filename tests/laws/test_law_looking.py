"""Looking changes nothing, and what it shows is what was computed."""

import pytest
import torch
from looking import check_weights, compare_mixtures
from torch import Tensor

from heed.layers.trace import Trace, sites_of
from heed.models.transformer import TransformerSettings


def expected_sites(settings) -> set[str]:
    """Return the attention sites that a model of these settings must have."""
    if isinstance(settings, TransformerSettings):
        encoder = {f"encoder.{layer}.self" for layer in range(settings.encoder_layers)}
        return encoder | {f"decoder.{n}.{kind}" for n in range(settings.decoder_layers) for kind in ("self", "cross")}
    return set() if settings.attention == "none" else {"decoder.cross"}


def allowed(site: str, case) -> Tensor:
    """Return (B, 1, T, S): which keys each query of a site may look at."""
    target_width = case.target_ids.shape[1]
    if site.startswith("decoder") and site.endswith("self"):
        return torch.ones(len(case.target_ids), 1, target_width, target_width, dtype=torch.bool).tril()
    queries = case.source_ids.shape[1] if site.startswith("encoder") else target_width
    return case.source_keep[:, None, None, :].expand(-1, 1, queries, -1)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_looking_changes_nothing_bit_for_bit(model, case) -> None:
    assert torch.equal(model(*case.inputs, trace=Trace()), model(*case.inputs))


def test_looking_at_one_site_changes_nothing_bit_for_bit(model, case) -> None:
    assert torch.equal(model(*case.inputs, trace=Trace("decoder*cross")), model(*case.inputs))


def test_the_trace_has_every_site_of_the_model(model, case, settings) -> None:
    trace = Trace()
    model(*case.inputs, trace=trace)
    assert len(sites_of(model)) == len(expected_sites(settings))
    assert set(trace.weights) == set(sites_of(model)) == expected_sites(settings)


def test_weights_are_one_over_allowed_keys_and_exactly_zero_elsewhere(model, case, same) -> None:
    trace = Trace()
    model(*case.inputs, trace=trace)
    for site, weights_BHTS in trace.weights.items():
        check_weights(site, weights_BHTS, allowed(site, case), same)


def test_the_weights_in_the_trace_are_those_that_mixed_the_values(make_model, case, same, settings) -> None:
    model = make_model(seed=5)
    compared = compare_mixtures(model, same)
    model(*case.inputs, trace=Trace())
    assert set(compared) == expected_sites(settings)


@pytest.mark.parametrize("pattern", ["encoder.*", "decoder*cross"])
def test_only_what_was_asked_for_is_recorded(model, case, settings, pattern: str) -> None:
    trace = Trace(pattern)
    model(*case.inputs, trace=trace)
    wanted = {site for site in expected_sites(settings) if site.startswith("encoder") == (pattern == "encoder.*")}
    assert set(trace.weights) == {site for site in wanted if not site.startswith("decoder") or site.endswith("cross")}
