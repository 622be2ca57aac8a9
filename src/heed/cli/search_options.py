"""The options that choose how to decode, shared by `predict` and `evaluate`."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from heed.errors import UsageError

if TYPE_CHECKING:
    from heed.tasks.translating import Search

Beam = Annotated[int | None, typer.Option("--beam", help="Beam search with so many beams (default: the run's, 4).")]
Greedy = Annotated[bool, typer.Option("--greedy", help="Take the most probable piece at each step.")]
Normalise = Annotated[
    str | None, typer.Option("--normalise", help="How beams of unequal length compare: none, mean or gnmt.")
]
Alpha = Annotated[float | None, typer.Option("--alpha", help="Strength of gnmt normalisation.")]
Sampled = Annotated[bool, typer.Option("--sample", help="Draw each piece at random by its probability.")]
Temperature = Annotated[float | None, typer.Option("--temperature", help="Of sampling: below 1 is bolder.")]
TopK = Annotated[int | None, typer.Option("--top-k", help="Of sampling: only the k most probable pieces.")]
TopP = Annotated[float | None, typer.Option("--top-p", help="Of sampling: only the pieces that make up this share.")]
Seed = Annotated[int | None, typer.Option("--seed", help="Of sampling: the same seed draws the same texts.")]


def choose_search(
    default: "Search", beam: Mapping[str, object], sampling: Mapping[str, object], greedy: bool, sampled: bool
) -> "Search":
    """Return how to decode: the run's own way, changed by the options that were given."""
    import dataclasses

    from heed.decoding.beam import BeamSettings
    from heed.decoding.sampling import SamplingSettings
    from heed.settings import from_dict
    from heed.tasks.translating import GreedySettings

    beam = {name: value for name, value in beam.items() if value is not None}
    sampling = {name: value for name, value in sampling.items() if value is not None}
    if sum([greedy, sampled or bool(sampling), bool(beam)]) > 1:
        raise UsageError(
            "Choose one way to decode: --greedy, --sample (with its options) or --beam (with its options)."
        )
    if greedy:
        return GreedySettings()
    if sampled or sampling:
        own = dataclasses.asdict(default) if isinstance(default, SamplingSettings) else {}
        return from_dict(SamplingSettings, {**own, **sampling}, "sampling")
    if not beam:
        return default
    own_beam = default if isinstance(default, BeamSettings) else BeamSettings()
    return from_dict(BeamSettings, {**dataclasses.asdict(own_beam), **_with_room(beam, own_beam.beams)}, "search")


def _with_room(beam: dict[str, object], beams: int) -> dict[str, object]:
    """Return the options of a beam search with beams enough for the results that are asked for."""
    results, chosen = beam.get("results"), beam.get("beams")
    if not isinstance(results, int):
        return beam
    if not 1 <= results <= (chosen if isinstance(chosen, int) else results):
        raise UsageError(f"--best is {results}{f' with --beam {chosen}' if chosen else ''}. Give 1 up to the beams.")
    return {"beams": max(beams, results), **beam}
