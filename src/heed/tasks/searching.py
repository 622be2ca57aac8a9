"""`changed_search`: how a run searches for sequences by itself, changed by the options that a person gave."""

import dataclasses
from collections.abc import Mapping

from heed.decoding.beam import BeamSettings
from heed.decoding.sampling import SamplingSettings
from heed.errors import UsageError
from heed.settings import from_dict
from heed.tasks.translating import GreedySettings, Search


def changed_search(
    own: Search, beam: Mapping[str, object], sampling: Mapping[str, object], greedy: bool, sampled: bool
) -> Search:
    """Return how to search; `beam` and `sampling` are the settings that were given, and two ways at a time are refused.

    What was not given is as the run has it, where the run searches that way, and else by default.
    """
    wanted = {"greedy": greedy, "sample": sampled or bool(sampling), "beam": bool(beam)}
    match [name for name, is_wanted in wanted.items() if is_wanted]:
        case []:
            return own
        case ["greedy"]:
            return GreedySettings()
        case ["sample"]:
            return _sampling(sampling, own if isinstance(own, SamplingSettings) else SamplingSettings())
        case ["beam"]:
            return _beam(beam, own if isinstance(own, BeamSettings) else BeamSettings())
        case several:
            raise UsageError(f"Choose one way to decode: options of {' and '.join(several)} came together.")


def _sampling(given: Mapping[str, object], own: SamplingSettings) -> SamplingSettings:
    return from_dict(SamplingSettings, {**dataclasses.asdict(own), **given}, "sampling")


def _beam(given: Mapping[str, object], own: BeamSettings) -> BeamSettings:
    results = given.get("results")
    # As many beams as results, where only results are asked for.
    room = {"beams": max(own.beams, results)} if isinstance(results, int) else {}
    return from_dict(BeamSettings, {**dataclasses.asdict(own), **room, **given}, "search")
