"""Beam search against exhaustive search, against a plain one, and against itself in other batches."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import settings as trials
from hypothesis import strategies as st

from heed.decoding.beam import BeamSettings, beam_search
from heed.decoding.greedy import greedy
from heed.decoding.limits import Limits
from heed.errors import RunError, SettingsError

START, END = 0, 1
keys = st.integers(0, 10**6).map(str)
normalisations = st.sampled_from(["none", "mean", "gnmt"])
alphas = st.sampled_from([0.0, 0.3, 0.6, 1.0, 2.0])


def limits_of(*longest: int) -> Limits:
    return Limits(start=START, end=END, forbidden=(START,), longest=longest)


def search(model, names, longest, **settings):
    return beam_search(model, model.start(names), limits_of(*longest), BeamSettings(**settings))


@trials(deadline=None, max_examples=300)
@given(keys, st.integers(3, 4), st.integers(1, 4), normalisations, alphas, st.sampled_from([0.0, 0.3]))
def test_a_beam_as_wide_as_all_sequences_is_exhaustive_search(
    table_model, key, vocabulary, longest, normalisation, alpha, impossible
):
    model = table_model(vocabulary, impossible=impossible)
    everything = model.exhaustive(key, longest, normalisation, alpha)
    results = min(3, len(everything))
    [found] = search(model, [key], [longest], beams=64, results=results, normalisation=normalisation, alpha=alpha)
    assert [hypothesis.ids for hypothesis in found] == [hypothesis.ids for hypothesis in everything[:results]]
    for ours, theirs in zip(found, everything, strict=False):
        assert math.isclose(ours.log_prob, theirs.log_prob, rel_tol=1e-9)
        assert math.isclose(ours.score, theirs.score, rel_tol=1e-9)
        assert ours.ended == theirs.ended


@trials(deadline=None, max_examples=300)
@given(keys, st.integers(3, 6), st.integers(1, 6), st.integers(1, 5), normalisations, alphas, st.booleans(), st.data())
def test_stopping_early_gives_what_running_to_the_limit_gives(
    table_model, key, vocabulary, longest, beams, normalisation, alpha, coarse, data
):
    results = data.draw(st.integers(1, beams))
    model = table_model(vocabulary, coarse=coarse, end_bonus=data.draw(st.sampled_from([-1.0, 0.0, 2.0])))
    [found] = search(model, [key], [longest], beams=beams, results=results, normalisation=normalisation, alpha=alpha)
    assert found == model.plain_beam(key, longest, beams, normalisation, alpha)[:results]


def test_a_source_whose_best_cannot_be_reached_stops_before_its_limit(table_model):
    model = table_model(5, end_bonus=6.0)  # the end id has nearly all probability at the first step
    search(model, ["a"], [50], beams=4, normalisation="none")
    assert model.steps == 1


@trials(deadline=None)
@given(st.lists(st.tuples(keys, st.integers(1, 6)), min_size=1, max_size=5), st.booleans())
def test_one_beam_is_greedy(table_model, sources, coarse):
    model = table_model(5, coarse=coarse)
    names, longest = zip(*sources, strict=True)
    beam = search(model, list(names), longest, beams=1, normalisation="mean")
    assert [best for [best] in beam] == greedy(model, model.start(list(names)), limits_of(*longest))


@trials(deadline=None)
@given(keys, st.integers(1, 6), st.integers(1, 6), normalisations)
def test_the_results_are_sorted_and_distinct(table_model, key, longest, beams, normalisation):
    model = table_model(5)
    [found] = search(model, [key], [longest], beams=beams, results=beams, normalisation=normalisation)
    scores = [hypothesis.score for hypothesis in found]
    assert scores == sorted(scores, reverse=True)
    assert len({hypothesis.ids for hypothesis in found}) == len(found)
    for hypothesis in found:
        assert math.isclose(sum(hypothesis.log_probs), hypothesis.log_prob, rel_tol=1e-12)
        assert (hypothesis.ids[-1] == END) == (hypothesis.ended == "end")
        assert len(hypothesis.ids) <= longest


@trials(deadline=None)
@given(st.lists(st.tuples(keys, st.integers(1, 7)), min_size=1, max_size=6), st.randoms(), st.booleans())
def test_a_result_does_not_depend_on_its_batch(table_model, sources, random, coarse):
    model = table_model(6, coarse=coarse)
    alone = [search(model, [key], [longest], beams=3, results=2)[0] for key, longest in sources]
    order = list(range(len(sources)))
    random.shuffle(order)
    names, longest = zip(*(sources[at] for at in order), strict=True)
    together = search(model, list(names), longest, beams=3, results=2)
    assert together == [alone[at] for at in order]


def test_a_source_leaves_the_batch_when_it_is_done(table_model):
    sizes = []

    class Watched(table_model):
        def step(self, last_ids_BW, state):
            sizes.append(len(state))
            return super().step(last_ids_BW, state)

    model = Watched(5, end_bonus=-30.0)
    search(model, ["a", "b", "c"], [2, 5, 3], beams=2)
    assert sizes == [3, 3, 2, 1, 1]


def test_forbidden_ids_are_never_generated_and_keep_their_probability(table_model):
    class Eager(table_model):
        def logits(self, key, prefix):
            return torch.tensor([5.0, 0.0, 1.0, 4.0])

    [[best]] = beam_search(
        Eager(4),
        Eager(4).start(["a"]),
        Limits(start=0, end=1, forbidden=(0, 3), longest=[2]),
        BeamSettings(beams=2, normalisation="mean"),
    )
    assert best.ids == (2, 2)
    expected = 1.0 - math.log(sum(math.exp(value) for value in (5.0, 0.0, 1.0, 4.0)))
    assert best.log_probs == pytest.approx([expected, expected], abs=1e-6)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
@pytest.mark.parametrize("place", [0, 1, 3])
def test_logits_that_are_no_numbers_are_refused(table_model, bad, place):
    class Broken(table_model):
        def logits(self, key, prefix):
            values = super().logits(key, prefix)
            if key == "b" and len(prefix) == 1:
                values[place] = bad
            return values

    model = Broken(4, end_bonus=-30.0)
    with pytest.raises(RunError, match="source 1, beam 0, step 2"):
        search(model, ["a", "b"], [4, 4], beams=2)
    with pytest.raises(RunError, match="source 1, beam 0, step 2"):
        greedy(model, model.start(["a", "b"]), limits_of(4, 4))


def test_a_source_without_any_possible_token_is_refused(table_model):
    class Stuck(table_model):
        def logits(self, key, prefix):
            values = torch.full((4,), -math.inf if key == "b" else 0.0)
            values[START] = 0.0
            return values

    model = Stuck(4)
    with pytest.raises(RunError, match="source 1, step 1"):
        search(model, ["a", "b"], [3, 3], beams=2)
    with pytest.raises(RunError, match="source 1, step 1"):
        greedy(model, model.start(["a", "b"]), limits_of(3, 3))


def test_no_sources_give_no_results(table_model):
    assert search(table_model(4), [], [], beams=2) == []


@pytest.mark.parametrize(
    ("wrong", "value"),
    [({"beams": 0}, "0"), ({"results": 5}, "5"), ({"results": 0}, "0"), ({"alpha": -0.5}, "-0.5")],
)
def test_settings_out_of_range_are_refused(wrong, value):
    with pytest.raises(SettingsError, match=f"is {value}"):
        BeamSettings(**wrong)
