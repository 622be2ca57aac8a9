"""What a person asked of `heed predict`, and the refusal of options that mean nothing to the model at hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import typer

from heed.cli.inputs import brief
from heed.errors import UsageError

if TYPE_CHECKING:
    from heed.tasks.translating import Search

Value = TypeVar("Value")

BEAM = {"beam": "beams", "normalise": "normalisation", "alpha": "alpha"}  # options, and the settings they are
SAMPLING = {"temperature": "temperature", "top-k": "top_k", "top-p": "top_p", "seed": "seed"}
SEARCH = ("beam", "normalise", "alpha", "temperature", "top-k", "top-p", "seed", "greedy", "sample")


@dataclass(frozen=True)
class Asked:
    """The words and options after `heed predict RUN`."""

    inputs: Sequence[str]
    columns: str | None
    json: bool
    options: Mapping[str, object]  # those that were given, by their names on the command line

    def refuse_others(self, known: Sequence[str], kind: str) -> None:
        """Refuse options that the model does not know."""
        for name in self.options:
            if name not in known:
                usable = ", ".join(f"--{each}" for each in known) or "none"
                raise UsageError(f"--{name} means nothing here: this run is {kind}. Its options: {usable}.")

    def option(self, name: str, kind: type[Value]) -> Value | None:
        """Return the value of an option, or None where it was not given."""
        value = self.options.get(name)
        assert value is None or isinstance(value, kind), f"--{name} is {value!r}"
        return value

    def best(self) -> int | None:
        """Return how many results are asked for."""
        best = self.option("best", int)
        if best is not None and best < 1:
            raise UsageError(f"--best is {best}; it must be 1 or more.")
        return best

    def search(self, default: "Search") -> "Search":
        """Return how to decode: the run's own way, changed by the options that were given."""
        from heed.cli.search_options import choose_search

        beam = {setting: self.options.get(name) for name, setting in BEAM.items()}
        sampling = {setting: self.options.get(name) for name, setting in SAMPLING.items()}
        greedy, sampled = bool(self.options.get("greedy")), bool(self.options.get("sample"))
        return choose_search(default, {**beam, "results": self.best()}, sampling, greedy, sampled)


def say_unseen(cut: int, unknown: int, text: str) -> None:
    """Say what the model did not see, on standard error, beside the result: never a silently wrong answer."""
    if cut:
        typer.echo(f"heed: {pieces(cut)} cut off the end of {brief(text)}", err=True)
    if unknown:
        typer.echo(f"heed: {pieces(unknown)} unknown in {brief(text)}", err=True)


def pieces(count: int) -> str:
    """Return a number of pieces in words."""
    return f"{count:,} piece{'s' if count > 1 else ''}"
