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
    from heed.tasks.searching import changed_search

    beam = {name: value for name, value in beam.items() if value is not None}
    sampling = {name: value for name, value in sampling.items() if value is not None}
    _check_results(beam.get("results"), beam.get("beams"))
    return changed_search(default, beam, sampling, greedy, sampled)


def _check_results(results: object, beams: object) -> None:
    """Refuse more results than there are beams to find them."""
    if isinstance(results, int) and not 1 <= results <= (beams if isinstance(beams, int) else results):
        raise UsageError(f"--best is {results}{f' with --beam {beams}' if beams else ''}. Give 1 up to the beams.")
