"""Sampling: what is drawn follows the probabilities, and nothing but the source's own index and seed."""

import math
from collections import Counter

import pytest
import torch
from hypothesis import given
from hypothesis import settings as trials
from hypothesis import strategies as st

from heed.decoding.greedy import greedy
from heed.decoding.limits import Limits
from heed.decoding.sampling import SamplingSettings, _drawn, sample
from heed.errors import RunError, SettingsError, UsageError

LOGITS = torch.tensor([0.0, -1.0, 1.0, 0.5, -0.5, 0.0])  # 0 is forbidden


class Fixed:
    def step(self, last_ids_BW, state):
        return LOGITS.expand(*last_ids_BW.shape, 6).clone(), state

    def reorder(self, state, sources, beams):
        return state


def shares(settings: SamplingSettings, draws: int = 20_000) -> dict[int, float]:
    limits = Limits(start=0, end=1, forbidden=(0,), longest=[1] * draws)
    counts = Counter(found.ids[0] for found in sample(Fixed(), None, limits, settings, range(draws)))
    return {token: count / draws for token, count in sorted(counts.items())}


def probabilities(ids: list[int], temperature: float = 1.0) -> dict[int, float]:
    weights = {token: math.exp(float(LOGITS[token]) / temperature) for token in ids}
    return {token: weight / sum(weights.values()) for token, weight in weights.items()}


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (SamplingSettings(), probabilities([1, 2, 3, 4, 5])),
        (SamplingSettings(temperature=0.5), probabilities([1, 2, 3, 4, 5], 0.5)),
        (SamplingSettings(temperature=3.0, seed=1), probabilities([1, 2, 3, 4, 5], 3.0)),
        (SamplingSettings(top_k=3), probabilities([2, 3, 5])),
        (SamplingSettings(top_k=3, temperature=2.0), probabilities([2, 3, 5], 2.0)),
        # Without id 0 the probabilities are 0.41, 0.25, 0.15 …: two of them are 0.66, three are 0.81.
        (SamplingSettings(top_p=0.6), probabilities([2, 3])),
        (SamplingSettings(top_p=0.7), probabilities([2, 3, 5])),
        # Within the three best the two best have 0.81: top-p counts what top-k left.
        (SamplingSettings(top_k=3, top_p=0.75), probabilities([2, 3])),
    ],
)
def test_tokens_are_drawn_as_often_as_they_are_probable(settings, expected):
    found = shares(settings)
    assert found.keys() == expected.keys()
    for token, probability in expected.items():
        # Four standard deviations of a share over 20,000 draws.
        assert abs(found[token] - probability) < 4 * math.sqrt(probability * (1 - probability) / 20_000)


@trials(deadline=None)
@given(st.integers(0, 10**6), st.booleans())
def test_one_candidate_a_small_share_and_a_low_temperature_are_greedy(table_model, key, coarse):
    model = table_model(5, coarse=coarse)
    limits = Limits(start=0, end=1, forbidden=(0,), longest=[5, 3])
    names = [f"{key}a", f"{key}b"]
    best = greedy(model, model.start(names), limits)
    for settings in (SamplingSettings(top_k=1), SamplingSettings(top_p=1e-6)):
        assert sample(model, model.start(names), limits, settings, [0, 1]) == best
    if not coarse:  # equal tokens stay equal at any temperature
        assert sample(model, model.start(names), limits, SamplingSettings(temperature=1e-9), [0, 1]) == best


@trials(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 99), st.integers(1, 6)), min_size=1, max_size=6), st.randoms())
def test_a_draw_does_not_depend_on_its_batch(table_model, sources, random):
    model = table_model(6)
    settings = SamplingSettings(top_p=0.9, seed=3)

    def drawn(chosen):
        limits = Limits(start=0, end=1, forbidden=(0,), longest=[longest for _, longest in chosen])
        indices = [index for index, _ in chosen]
        return sample(model, model.start([str(index) for index in indices]), limits, settings, indices)

    alone = {source: drawn([source])[0] for source in sources}
    order = list(sources)
    random.shuffle(order)
    assert drawn(order) == [alone[source] for source in order]


def test_every_step_is_drawn_anew():
    draws = 20_000
    limits = Limits(start=0, end=1, forbidden=(0,), longest=[2] * draws)
    found = sample(Fixed(), None, limits, SamplingSettings(), range(draws))
    expected = probabilities([1, 2, 3, 4, 5])[2] ** 2
    twice = sum(hypothesis.ids == (2, 2) for hypothesis in found) / draws
    assert abs(twice - expected) < 4 * math.sqrt(expected * (1 - expected) / draws)


@pytest.mark.parametrize(("draw", "position"), [(0.0, 1), (0.5, 2), (math.nextafter(1.0, 0.0), 2)])
def test_no_draw_falls_on_a_token_without_probability(draw, position):
    log_probs = torch.tensor([[-math.inf, math.log(0.5), math.log(0.5), -math.inf]])
    draws = torch.tensor([[draw]], dtype=torch.float64)
    assert _drawn(log_probs, SamplingSettings(), draws).tolist() == [[position]]


def test_another_seed_and_another_index_draw_otherwise():
    limits = Limits(start=0, end=1, forbidden=(0,), longest=[40, 40])
    first, second = sample(Fixed(), None, limits, SamplingSettings(seed=1), [0, 1])
    other, _ = sample(Fixed(), None, limits, SamplingSettings(seed=2), [0, 1])
    assert len({first.ids, second.ids, other.ids}) == 3


def test_the_log_probabilities_are_the_model_s_own():
    [found] = sample(
        Fixed(), None, Limits(start=0, end=1, forbidden=(0,), longest=[1]), SamplingSettings(temperature=5.0), [7]
    )
    assert found.log_prob == pytest.approx(LOGITS.log_softmax(0)[found.ids[0]].item(), abs=1e-6)


def test_a_token_without_probability_is_never_drawn(table_model):
    model = table_model(6, impossible=0.6)
    limits = Limits(start=0, end=1, forbidden=(0,), longest=[4] * 200)
    for settings in (SamplingSettings(), SamplingSettings(top_k=5), SamplingSettings(top_p=0.99)):
        found = sample(model, model.start([str(key) for key in range(200)]), limits, settings, range(200))
        assert all(hypothesis.log_prob > -math.inf for hypothesis in found)


@pytest.mark.parametrize("settings", [SamplingSettings(), SamplingSettings(top_k=2), SamplingSettings(top_p=0.5)])
def test_a_source_that_can_draw_nothing_is_refused(settings):
    class Stuck(Fixed):
        def step(self, last_ids_BW, state):
            return torch.tensor([0.0] + [-math.inf] * 5).expand(*last_ids_BW.shape, 6).clone(), state

    with pytest.raises(RunError, match="source 0, step 1"):
        sample(Stuck(), None, Limits(start=0, end=1, forbidden=(0,), longest=[3]), settings, [0])


@pytest.mark.parametrize(
    ("wrong", "value"),
    [({"temperature": 0.0}, "0.0"), ({"top_k": -1}, "-1"), ({"top_p": 0.0}, "0.0"), ({"top_p": 1.5}, "1.5")],
)
def test_sampling_settings_out_of_range_are_refused(wrong, value):
    with pytest.raises(SettingsError, match=f"is {value}"):
        SamplingSettings(**wrong)


def test_a_wrong_number_of_indices_is_refused():
    with pytest.raises(UsageError, match="3 indices for 2 sources"):
        sample(Fixed(), None, Limits(start=0, end=1, longest=[1, 1]), SamplingSettings(), [0, 1, 2])
