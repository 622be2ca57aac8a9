"""Looking changes nothing, and what it shows is what was computed."""

import torch
from looking import check_weights, compare_mixtures

from heed.layers.trace import Trace, sites_of
from heed.models.language_transformer import LanguageTransformerSettings


def expected_sites(settings) -> set[str]:
    """Return the attention sites that a model of these settings must have."""
    if isinstance(settings, LanguageTransformerSettings):
        return {f"decoder.{layer}.self" for layer in range(settings.layers)}
    return set()


def test_looking_changes_nothing_bit_for_bit(model, case) -> None:
    assert torch.equal(model(case.token_ids, case.keep, Trace()), model(case.token_ids, case.keep))


def test_looking_at_one_site_records_that_site_alone(model, case, settings) -> None:
    trace = Trace("decoder.1.*")
    assert torch.equal(model(case.token_ids, case.keep, trace), model(case.token_ids, case.keep))
    assert set(trace.weights) == expected_sites(settings) & {"decoder.1.self"}


def test_the_trace_has_every_site_and_its_weights_are_one_over_the_past(model, case, settings, same) -> None:
    trace = Trace()
    model(case.token_ids, case.keep, trace)
    assert set(trace.weights) == set(sites_of(model)) == expected_sites(settings)
    past = torch.ones(3, 1, 6, 6, dtype=torch.bool).tril()
    for site, weights_BHTS in trace.weights.items():
        check_weights(site, weights_BHTS, past, same)


def test_the_weights_in_the_trace_are_those_that_mixed_the_values(make_model, case, same, settings) -> None:
    model = make_model(seed=5)
    compared = compare_mixtures(model, same)
    model(case.token_ids, case.keep, Trace())
    assert set(compared) == expected_sites(settings)
