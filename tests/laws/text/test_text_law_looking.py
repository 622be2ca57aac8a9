"""Looking changes nothing, and what it shows of a text is what was computed."""

import pytest
import torch
from looking import check_weights, compare_mixtures
from torch import Tensor
from torch.nn import functional

from heed.layers.attention import Attend
from heed.layers.trace import Trace, sites_of
from heed.models.bert import BertSettings
from heed.models.encoder import EncoderSettings
from heed.models.text_input import TextInput


def expected_sites(variant) -> set[str]:
    """Return where a trace must find the attention of this model."""
    layers = variant.settings.layers if isinstance(variant.settings, EncoderSettings | BertSettings) else 0
    own = [f"encoder.{layer}.self" for layer in range(layers)]
    own += ["pool"] if getattr(variant.settings, "pooling", "max") == "attention" else []
    towers = ("first.", "second.") if variant.towers else ("",)
    return {tower + site for tower in towers for site in own}


def allowed(site: str, case, settings) -> Tensor:
    """Return (B, 1, T, S): which keys each query of a site may look at."""
    text: TextInput = case.texts[1 if site.startswith("second.") else 0]
    # The first token of BERT stands in the text already; the encoder puts a vector of its own in front.
    in_front = isinstance(settings, EncoderSettings) and settings.pooling == "first"
    keep = functional.pad(text.keep, (1, 0), value=True) if in_front else text.keep
    queries = 1 if site.endswith("pool") else keep.shape[1]
    return keep[:, None, None, :].expand(-1, 1, queries, -1)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_looking_changes_nothing_bit_for_bit(model, case) -> None:
    usual_BC = model(case.texts)
    for patterns in ((), ("*pool",), ("second.*",), ("nowhere",)):
        assert torch.equal(model(case.texts, trace=Trace(*patterns)), usual_BC), f"looking at {patterns}"


def test_the_trace_has_every_site_of_the_model_and_is_empty_only_without_attention(model, case, variant) -> None:
    trace = Trace()
    model(case.texts, trace=trace)
    assert set(trace.weights) == set(model.sites) == expected_sites(variant)
    assert len(model.sites) == len(expected_sites(variant))
    assert bool(trace.weights) == any(isinstance(module, Attend) for module in model.modules())


def test_weights_are_one_over_real_tokens_and_exactly_zero_on_padding(model, case, same, settings) -> None:
    trace = Trace()
    model(case.texts, trace=trace)
    for site, weights_BHTS in trace.weights.items():
        check_weights(site, weights_BHTS, allowed(site, case, settings), same)


def test_the_weights_in_the_trace_are_those_that_mixed_the_values(make_model, case, same, variant) -> None:
    model = make_model(seed=5)
    compared = compare_mixtures(model, same)
    model(case.texts, trace=Trace())
    assert len(compared) == len(expected_sites(variant))
    assert set(compared) == set(sites_of(model))


def test_only_what_was_asked_for_is_recorded(model, case, variant) -> None:
    for pattern in ("*encoder.1.self", "*pool", "second.*", "nowhere"):
        trace = Trace(pattern)
        model(case.texts, trace=trace)
        assert set(trace.weights) == {site for site in expected_sites(variant) if trace.wants(site)}, pattern
