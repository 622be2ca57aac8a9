"""A run's own way to search, changed by options: what is not given stays, and there is only one way at a time."""

from collections.abc import Mapping

import pytest

from heed.decoding.beam import BeamSettings
from heed.decoding.sampling import SamplingSettings
from heed.errors import UsageError
from heed.tasks.searching import changed_search
from heed.tasks.translating import GreedySettings, Search

BEAM = BeamSettings(beams=3, alpha=0.2)
SAMPLING = SamplingSettings(temperature=0.5, seed=7)
NOTHING: Mapping[str, object] = {}


@pytest.mark.parametrize("own", [BEAM, SAMPLING, GreedySettings()], ids=["beam", "sampling", "greedy"])
def test_a_run_searches_its_own_way_where_nothing_is_asked(own: Search) -> None:
    assert changed_search(own, NOTHING, NOTHING, greedy=False, sampled=False) == own


@pytest.mark.parametrize(
    ("own", "beam", "sampling", "sampled", "changed"),
    [
        (BEAM, {"beams": 5}, {}, False, BeamSettings(beams=5, alpha=0.2)),
        (SAMPLING, {"beams": 5}, {}, False, BeamSettings(beams=5)),
        (SAMPLING, {}, {"top_k": 4}, False, SamplingSettings(temperature=0.5, seed=7, top_k=4)),
        (BEAM, {}, {"top_k": 4}, False, SamplingSettings(top_k=4)),
        (BEAM, {}, {}, True, SamplingSettings()),
        (SAMPLING, {}, {}, True, SAMPLING),
    ],
)
def test_what_is_not_given_stays_as_the_run_has_it(
    own: Search, beam: Mapping[str, object], sampling: Mapping[str, object], sampled: bool, changed: Search
) -> None:
    assert changed_search(own, beam, sampling, greedy=False, sampled=sampled) == changed


@pytest.mark.parametrize(("results", "beams"), [(2, 3), (6, 6)])
def test_a_search_has_at_least_as_many_beams_as_results_that_are_asked_for(results: int, beams: int) -> None:
    found = changed_search(BEAM, {"results": results}, NOTHING, greedy=False, sampled=False)
    assert found == BeamSettings(beams=beams, alpha=0.2, results=results)


def test_a_greedy_search_knows_nothing_of_the_runs_own_way() -> None:
    assert changed_search(SAMPLING, NOTHING, NOTHING, greedy=True, sampled=False) == GreedySettings()


@pytest.mark.parametrize(
    ("beam", "sampling", "greedy", "sampled", "names"),
    [
        ({"beams": 2}, {}, True, False, "greedy and beam"),
        ({}, {"seed": 3}, True, False, "greedy and sample"),
        ({"alpha": 1.0}, {}, False, True, "sample and beam"),
        ({"alpha": 1.0}, {"seed": 0}, True, True, "greedy and sample and beam"),
    ],
)
def test_two_ways_at_a_time_are_refused_by_name(
    beam: Mapping[str, object], sampling: Mapping[str, object], greedy: bool, sampled: bool, names: str
) -> None:
    with pytest.raises(UsageError, match=f"^Choose one way to decode: options of {names} came together"):
        changed_search(BEAM, beam, sampling, greedy, sampled)
