"""`Outcome`: what came of a comparison, read from its folder without its runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from heed.errors import RunError
from heed.runs import durable, strict_json
from heed.runs.strict_json import JSON

PLAN = "plan.json"
COMPARISON = "comparison.json"
LARGEST = 1 << 26  # bytes of either file


@dataclass(frozen=True)
class Outcome:
    """A comparison in a line."""

    task: str
    contenders: int
    seeds: int
    winner: str | None  # None: not all trials have been measured yet
    score: float | None  # of the winner on the test data, a mean over its seeds
    values: Mapping[str, JSON]  # all that was measured of it there
    ended: float


def is_comparison(path: Path) -> bool:
    """Tell whether the folder holds a comparison."""
    return (path / PLAN).is_file()


def read_outcome(path: Path) -> Outcome:
    """Return what came of a comparison; raise RunError where its files cannot be used."""
    plan = _read(path / PLAN)
    contenders, seeds = plan.get("contenders"), plan.get("seeds")
    if not isinstance(contenders, Mapping) or not contenders or not isinstance(seeds, int):
        raise RunError(f"{path / PLAN} names no contenders and seeds: {str(plan)[:60]}. Restore it from a copy.")
    first = next(iter(contenders.values()))
    task = str(first.get("task", "")) if isinstance(first, Mapping) else ""
    best = _best(path)
    score, values = best.get("score"), best.get("values")
    mean = score.get("mean") if isinstance(score, Mapping) else None
    return Outcome(
        task=task,
        contenders=len(contenders),
        seeds=seeds,
        winner=str(best["name"]) if "name" in best else None,
        score=mean if isinstance(mean, float) else None,
        values=values if isinstance(values, Mapping) else {},
        ended=(path / (COMPARISON if best else PLAN)).stat().st_mtime,
    )


def _best(path: Path) -> Mapping[str, JSON]:
    """Return the first of the standings, or nothing while there are none."""
    if not (path / COMPARISON).is_file():
        return {}
    standings = _read(path / COMPARISON).get("standings")
    best = standings[0] if isinstance(standings, list) and standings else None
    return best if isinstance(best, Mapping) else {}


def _read(path: Path) -> Mapping[str, JSON]:
    with durable.reported(path):
        size = durable.file_size(path)
        if size > LARGEST:
            raise RunError(f"{path} has {size:,} bytes; at most {LARGEST:,} are read. Restore it from a copy.")
        data = durable.read_file(path)
    try:
        return strict_json.decode_object(data)
    except ValueError as error:
        raise RunError(f"{path} cannot be used: {error}. Restore it from a copy.") from error
