"""Looking changes nothing, and what it shows of a text is what was computed."""

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from heed.layers.attention import Attend
from heed.layers.trace import Trace, sites_of
from heed.models.encoder import EncoderSettings
from heed.models.text_input import TextInput


def expected_sites(variant) -> set[str]:
    """Return where a trace must find the attention of this model."""
    layers = variant.settings.layers if isinstance(variant.settings, EncoderSettings) else 0
    own = [f"encoder.{layer}.self" for layer in range(layers)]
    own += ["pool"] if getattr(variant.settings, "pooling", "max") == "attention" else []
    towers = ("first.", "second.") if variant.towers else ("",)
    return {tower + site for tower in towers for site in own}


def allowed(site: str, case, settings) -> Tensor:
    """Return (B, 1, T, S): which keys each query of a site may look at."""
    text: TextInput = case.texts[1 if site.startswith("second.") else 0]
    keep = functional.pad(text.keep, (1, 0), value=True) if settings.pooling == "first" else text.keep
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
        may_attend = allowed(site, case, settings)
        assert weights_BHTS.shape == (len(may_attend), weights_BHTS.shape[1], *may_attend.shape[2:]), site
        same(weights_BHTS.sum(dim=-1), torch.ones_like(weights_BHTS[..., 0]))
        assert (weights_BHTS.masked_select(~may_attend) == 0).all(), site
        assert (weights_BHTS.masked_select(may_attend) > 0).all(), site


def test_the_weights_in_the_trace_are_those_that_mixed_the_values(make_model, case, same, variant) -> None:
    """The fused kernel does not tell its weights: those beside it must give the same mixture."""
    calls = []

    def compare(attend: Attend, inputs: tuple[object, ...], mixed_BHTK: Tensor) -> None:
        v_BHSK, trace = inputs[2], inputs[4]
        same(trace.weights[attend.site] @ v_BHSK, mixed_BHTK)
        calls.append(attend.site)

    model = make_model(seed=5)
    for module in model.modules():
        if isinstance(module, Attend):
            module.register_forward_hook(compare)
    model(case.texts, trace=Trace())
    assert len(calls) == len(expected_sites(variant))
    assert set(calls) == set(sites_of(model))


def test_only_what_was_asked_for_is_recorded(model, case, variant) -> None:
    for pattern in ("*encoder.1.self", "*pool", "second.*", "nowhere"):
        trace = Trace(pattern)
        model(case.texts, trace=trace)
        assert set(trace.weights) == {site for site in expected_sites(variant) if trace.wants(site)}, pattern
