"""How a request wants sequences to be searched for: the run's own way, changed by the options that were given."""

import dataclasses

from heed.decoding.beam import BeamSettings
from heed.decoding.sampling import SamplingSettings
from heed.errors import UsageError
from heed.serving.requests import Options
from heed.settings import from_dict
from heed.tasks.translating import GreedySettings, Search

BEAM = {"beam": "beams", "normalise": "normalisation", "alpha": "alpha", "best": "results"}
SAMPLING = ("temperature", "top_k", "top_p", "seed")
SEARCH = (*BEAM, *SAMPLING, "greedy", "sample")  # options of whatever writes


def search_of(options: Options, default: Search) -> Search:
    """Return how to search; refuse two ways at a time."""
    given = options.given()
    beam = {setting: given[name] for name, setting in BEAM.items() if name in given}
    sampling = {name: given[name] for name in SAMPLING if name in given}
    ways = {"greedy": options.greedy, "sample": options.sample or bool(sampling), "beam": bool(beam)}
    chosen = [name for name, wanted in ways.items() if wanted]
    if len(chosen) > 1:
        raise UsageError(f"Options of {' and '.join(chosen)} came together. Choose one way to decode.")
    match chosen:
        case ["greedy"]:
            return GreedySettings()
        case ["sample"]:
            own = dataclasses.asdict(default) if isinstance(default, SamplingSettings) else {}
            return from_dict(SamplingSettings, {**own, **sampling}, "options")
        case ["beam"]:
            return _beam(beam, default if isinstance(default, BeamSettings) else BeamSettings())
    return default


def beams_of(search: Search) -> int:
    """Return how many sequences grow at a time for one input."""
    return search.beams if isinstance(search, BeamSettings) else 1


def _beam(given: dict[str, object], own: BeamSettings) -> BeamSettings:
    results = given.get("results")
    # As many beams as results, where only results are asked for.
    room = {"beams": max(own.beams, results)} if isinstance(results, int) else {}
    return from_dict(BeamSettings, {**dataclasses.asdict(own), **room, **given}, "options")
