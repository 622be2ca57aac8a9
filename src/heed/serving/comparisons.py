"""`ComparisonTable`: what `heed compare` found, few enough rows for a page to show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from heed.errors import HeedError
from heed.files.quoting import shortened
from heed.files.whole import read_whole
from heed.serving.beside import RESULTS
from heed.serving.refusals import without_paths

LARGEST = 2_000_000  # bytes of the results
MOST_ROWS = 60
LONGEST_NAME = 80  # characters
TITLES = ("Model", "Score", "Seeds", "To the best", "Parameters", "Training, minutes", "One text, ms")


class _Interval(BaseModel):
    mean: float
    low: float | None
    high: float | None


class _Difference(BaseModel):
    mean: float
    real: bool


class _Standing(BaseModel):
    """A contender, of which only what is shown is read."""

    model_config = ConfigDict(extra="ignore")

    name: str
    seeds: int
    score: _Interval
    against_best: _Difference | None
    parameters: int
    seconds: float
    latency: float


class _Results(BaseModel):
    """What the file holds."""

    model_config = ConfigDict(extra="ignore")

    standings: Annotated[list[_Standing], Field(max_length=10_000)]
    facts: dict[str, str]


@dataclass(frozen=True)
class ComparisonTable:
    """A comparison: a row for each contender, the best first."""

    name: str
    titles: Sequence[str]
    rows: Sequence[Sequence[str]]
    facts: Mapping[str, str]  # machine and versions; not the command, which holds paths
    problem: str | None = None  # why there are no rows


def table_of(folder: Path) -> ComparisonTable:
    """Return the table of a comparison; one that cannot be read is a problem of its own alone."""
    try:
        results = _Results.model_validate_json(read_whole(folder / RESULTS, LARGEST))
    except (HeedError, ValidationError) as problem:
        told = str(problem) if isinstance(problem, HeedError) else f"{RESULTS} is not as heed compare writes it."
        return ComparisonTable(folder.name, TITLES, (), {}, without_paths(told, [(folder, folder.name)]))
    facts = {name: without_paths(fact) for name, fact in results.facts.items() if name in ("machine", "versions")}
    rows = tuple(_row(standing) for standing in results.standings[:MOST_ROWS])
    return ComparisonTable(folder.name, TITLES, rows, facts)


def _row(standing: _Standing) -> tuple[str, ...]:
    return (
        shortened(standing.name, LONGEST_NAME),
        _score(standing.score),
        str(standing.seeds),
        _gap(standing.against_best),
        f"{standing.parameters:,}",
        f"{standing.seconds / 60:.1f}",
        f"{1000 * standing.latency:.2f}",
    )


def _score(score: _Interval) -> str:
    if score.low is None or score.high is None:
        return f"{score.mean:.4g}"
    return f"{score.mean:.4g} ± {(score.high - score.low) / 2:.2g}"


def _gap(difference: _Difference | None) -> str:
    if difference is None:
        return "best"
    chance = "real" if difference.real else "may be chance"
    return f"{difference.mean:.3g}, {chance}".replace("-", "−")
