"""How a request wants sequences to be searched for: the run's own way, changed by the options that were given."""

from heed.decoding.beam import BeamSettings
from heed.serving.requests import Options
from heed.tasks.searching import changed_search
from heed.tasks.translating import Search

BEAM = {"beam": "beams", "normalise": "normalisation", "alpha": "alpha", "best": "results"}
SAMPLING = ("temperature", "top_k", "top_p", "seed")
SEARCH = (*BEAM, *SAMPLING, "greedy", "sample")  # options of whatever writes


def search_of(options: Options, default: Search) -> Search:
    """Return how to search; refuse two ways at a time."""
    given = options.given()
    beam = {setting: given[name] for name, setting in BEAM.items() if name in given}
    sampling = {name: given[name] for name in SAMPLING if name in given}
    return changed_search(default, beam, sampling, options.greedy, options.sample)


def beams_of(search: Search) -> int:
    """Return how many sequences grow at a time for one input."""
    return search.beams if isinstance(search, BeamSettings) else 1
