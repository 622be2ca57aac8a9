"""What a person asked of `heed evaluate`, and what is printed of it for every kind of model."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import typer

from heed.cli.intervals import without_interval
from heed.cli.output import print_json
from heed.files.atomic import write_text
from heed.prediction.evaluated import Evaluated, Part
from heed.prediction.evaluation_data import DataChoice
from heed.runs.folder import open_run

Result = TypeVar("Result")

HEADINGS = {
    "unseen": "unseen: {} {}",
    "validation": "seen in validation: {} {} by which the weights were chosen; their score is optimistic for new data",
    "training": "seen in training: {} {} that the model was fitted to; their score says nothing about new data",
}


@dataclass(frozen=True)
class Asked:
    """The words and options after `heed evaluate`."""

    run: Path
    data: Sequence[str]  # none: the run's own test split
    columns: str | None
    save: Path | None
    json: bool

    def choice(self, columns: Sequence[str] | None) -> DataChoice:
        """Return which data is scored; `columns` are the names in the option."""
        return DataChoice(open_run(self.run), self.data, columns)


@dataclass(frozen=True)
class View(Generic[Result]):
    """How the scores of one kind of model are shown."""

    lines: Callable[[Result], Iterable[str]]  # for a person
    facts: Callable[[Result], dict[str, object]]  # for --json
    said: Callable[[Result], Iterable[str]] | None = None  # one for each example, for --save
    rated: bool = False  # whether examples a second are told


def timed(work: Callable[[], Result]) -> tuple[Result, float]:
    """Return what the work gives, and the seconds that it took."""
    began = time.monotonic()
    result = work()
    return result, time.monotonic() - began


def report(asked: Asked, found: Evaluated[Result], seconds: float, view: View[Result]) -> None:
    """Print the scores of each part, and write what the model said where that was asked for."""
    for sentence in (*found.left_out, *(f"{each.name}: {each.reason}" for each in found.broken)):
        typer.echo(f"heed: {sentence}", err=True)  # on standard error, so that it is said beside --json too
    if asked.save is not None and view.said is not None:
        write_text(asked.save, "".join(f"{line}\n" for line in _in_order(found, view.said)))
    if asked.json:
        print_json(_document(found, seconds, view))
        return
    for line in (*_lines(found, view), _last(found, seconds, view)):
        typer.echo(line)


def _in_order(found: Evaluated[Result], said: Callable[[Result], Iterable[str]]) -> list[str]:
    """Return what the model said of each example, in the order of the data."""
    lines = [""] * found.examples
    for part in found.parts:
        for row, line in zip(part.rows, said(part.evaluation), strict=True):
            lines[row] = line
    return lines


def _document(found: Evaluated[Result], seconds: float, view: View[Result]) -> dict[str, object]:
    """Return the scores of unseen examples as they are, and those of seen ones below names that say so."""
    main = found.unseen if found.unseen is not None else found.unknown
    return {
        **({"scores": None} if main is None else view.facts(main)),
        "seen": {
            "known": not found.count("unknown"),
            "sentence": found.sentence,
            "examples": found.examples,
            **{side: found.count(side) for side in ("unseen", "validation", "training")},
            "own_test": found.own_test,
        },
        "validation": None if found.validation is None else view.facts(found.validation),
        "training": None if found.training is None else view.facts(found.training),
        "left_out": found.left_out,
        "broken": found.broken,
        "note": found.note,
        "seconds": seconds,
    }


def _lines(found: Evaluated[Result], view: View[Result]) -> Iterator[str]:
    yield found.sentence
    if found.note:
        yield found.note
    for part in found.parts:
        yield from _part_lines(part, found, view)


def _part_lines(part: Part[Result], found: Evaluated[Result], view: View[Result]) -> Iterator[str]:
    lines = view.lines(part.evaluation)
    if part.side == "unknown" or (len(found.parts) == 1 and part.side == "unseen"):
        yield from lines
        return
    yield HEADINGS[part.side].format(f"{len(part.rows):,}", found.noun)
    if part.side == "unseen":
        yield from lines
        return
    # Each line says it: a number that is copied from here must not pass for a test score. An interval would say between
    # which numbers the score on new data lies, which this one is no estimate of.
    for line in lines:
        yield f"[seen in {part.side}] {without_interval(line)}"


def _last(found: Evaluated[Result], seconds: float, view: View[Result]) -> str:
    broken = f"{len(found.broken):,} image(s) could not be read; " if found.broken else ""
    rate = f", {found.examples / seconds:,.0f} {found.noun} a second" if view.rated and seconds else ""
    return f"{broken}{seconds:.1f} s{rate}"
