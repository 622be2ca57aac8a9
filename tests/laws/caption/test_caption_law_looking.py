"""Looking changes nothing, and what it shows is where each word looked: weights over all that a picture gives."""

import pytest
import torch
from looking import check_weights, compare_mixtures
from torch import Tensor

from heed.layers.trace import Trace, sites_of
from heed.models.captioner import TransformerCaptionerSettings, positions_of


def expected_sites(settings) -> set[str]:
    """Return the attention sites that a captioner of these settings must have."""
    encoder = {f"encoder.{layer}.self" for layer in range(settings.encoder.layers)}
    if isinstance(settings, TransformerCaptionerSettings):
        return encoder | {f"decoder.{n}.{kind}" for n in range(settings.layers) for kind in ("self", "cross")}
    return encoder if settings.attention == "none" else encoder | {"decoder.cross"}


def allowed(site: str, case, positions: int) -> Tensor:
    """Return (B, 1, T, S): which keys each query of a site may look at."""
    batch, words = case.target_ids.shape
    if site.startswith("decoder") and site.endswith("self"):
        return torch.ones(batch, 1, words, words, dtype=torch.bool).tril()
    return torch.ones(batch, 1, positions if site.startswith("encoder") else words, positions, dtype=torch.bool)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_looking_at_a_captioner_changes_nothing_bit_for_bit(model, case) -> None:
    usual_BTV = model(*case.inputs)
    for trace in (Trace(), Trace("decoder*cross")):
        assert torch.equal(model(*case.inputs, trace=trace), usual_BTV)


def test_the_trace_of_a_captioner_has_every_site(model, case, settings) -> None:
    trace = Trace()
    model(*case.inputs, trace=trace)
    assert len(sites_of(model)) == len(expected_sites(settings))
    assert set(trace.weights) == set(sites_of(model)) == expected_sites(settings)


def test_each_word_has_weights_that_are_one_over_all_positions_of_its_picture(model, case, same, settings) -> None:
    trace = Trace()
    model(*case.inputs, trace=trace)
    for site, weights_BHTS in trace.weights.items():
        check_weights(site, weights_BHTS, allowed(site, case, positions_of(settings.encoder)), same)


def test_the_weights_in_the_trace_are_those_that_mixed_what_words_saw(make_model, case, same, settings) -> None:
    model = make_model(seed=5)
    compared = compare_mixtures(model, same)
    model(*case.inputs, trace=Trace())
    assert set(compared) == expected_sites(settings)


def test_a_picture_gives_as_many_positions_as_are_told(model, case, settings) -> None:
    assert model.encoder.hidden(case.images).shape[1] == positions_of(settings.encoder)
