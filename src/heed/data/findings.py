"""The sentences of a report: what each number of `check_pairs` means, and what to do about it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from heed.data.agreement import DISAGREES, Agreement
from heed.data.characters import IN_PIECES, CharacterFault
from heed.data.leaks import NAMES, GroupLeak
from heed.data.lengths import Cut
from heed.data.repeats import Leak, Repeats

MUCH_LEAKED = 0.1  # share of a split above which its scores mean nothing
MANY_SUSPECTS = 0.03  # share of the pairs; clean translations have about one in a hundred
MANY_DUPLICATES = 0.2  # share of training
LEVELS = ("error", "warning", "note")


@dataclass(frozen=True)
class Finding:
    """One sentence about the data. An error makes results wrong, a warning may, a note is good to know."""

    level: Literal["note", "warning", "error"]
    text: str


def most_urgent_first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings with the errors first and the notes last."""
    return tuple(sorted(findings, key=lambda finding: LEVELS.index(finding.level)))


def about_empty(empty: int, places: Sequence[str], what: str) -> Iterator[Finding]:
    """Say how many records were left out, and `what` they were."""
    if empty:
        yield Finding("warning", f"{empty:,} {what} are left out{at(places)}.")


def about_leak(leak: Leak) -> Iterator[Finding]:
    """Say how much of a split was seen before."""
    split = NAMES[leak.split]
    if leak.pairs:
        share = f"{leak.pairs:,} of the {leak.size:,} {split} pairs ({leak.pairs / leak.size:.1%})"
        yield inflated(leak, f"{share} also occur in {{earlier}}{at(leak.examples)}", leak.pairs)
    if leak.sources > leak.pairs:
        others = f"{leak.sources - leak.pairs:,} {split} pair(s)"
        where = "" if leak.pairs else at(leak.examples)
        share = f"{others} have a source that also occurs in {{earlier}} with another target{where}"
        yield inflated(leak, share, 0)


class AnyLeak(Protocol):
    """A split of which something stands in an earlier one."""

    @property
    def split(self) -> str:
        """Return "valid" or "test"."""
        ...

    @property
    def earlier(self) -> str:
        """Return "train" or "valid"."""
        ...

    @property
    def size(self) -> int:
        """Return how many records the split has."""
        ...


def inflated(leak: AnyLeak, what: str, records: int, cure: str = "Remove them from train.") -> Finding:
    """Return what a leak does to scores; `what` says how many with "{earlier}" for the earlier split.

    What test shares with validation is a note: a model is chosen by it, not trained on it.
    """
    text = what.replace("{earlier}", NAMES[leak.earlier])
    if leak.earlier != "train":
        return Finding("note", f"{text}.")
    level: Literal["warning", "error"] = "error" if records > MUCH_LEAKED * leak.size else "warning"
    return Finding(level, f"{text}, so {NAMES[leak.split]} scores are inflated. {cure}")


def about_groups(leaks: Iterable[GroupLeak]) -> Iterator[Finding]:
    """Say which groups stand on two sides."""
    for leak in leaks:
        yield Finding("error" if leak.records > MUCH_LEAKED * leak.size else "warning", leak.sentence)


def about_repeats(repeats: Repeats, train: int, everything: int) -> Iterator[Finding]:
    """Say what stands twice in training, and what is a copy."""
    if repeats.duplicates:
        many = repeats.duplicates > MANY_DUPLICATES * train
        text = f"{repeats.duplicates:,} pair(s) of train ({repeats.duplicates / train:.1%}) stand there more than once."
        yield Finding("warning" if many else "note", text)
    if repeats.several_targets:
        text = (
            f"{repeats.several_targets:,} source(s) of train have several targets (first at {repeats.several_example})."
        )
        yield Finding("note", text)
    if repeats.copies == everything:
        yield Finding(
            "note", f"All {everything:,} targets are copies of their sources. Was one file given for both sides?"
        )
    elif repeats.copies:
        share = f"{repeats.copies:,} pair(s) ({repeats.copies / everything:.1%})"
        yield Finding("warning", f"{share} have a target that is a copy of the source: not translated?")


def about_agreement(agreement: Agreement, everything: int) -> Iterator[Finding]:
    """Say whether the two sides seem to belong together."""
    if agreement.correlation is not None and agreement.correlation < DISAGREES:
        yield Finding(
            "warning",
            f"Longer sources do not have longer targets (correlation {agreement.correlation:.2f}). Fine if the targets "
            f"are labels or short answers; if they are translations, the lines are probably shifted.",
        )
    if agreement.shifted_from is not None:
        yield Finding(
            "warning",
            f"From about {agreement.shifted_from} on, the lengths of source and target no longer agree, though "
            f"elsewhere they do: a line is probably missing or split there.",
        )
    if agreement.suspects:
        share = agreement.suspects / everything
        text = f"{agreement.suspects:,} pair(s) ({share:.1%}) have lengths that fit badly and may be misaligned."
        yield Finding("warning" if share > MANY_SUSPECTS else "note", text)


def about_cut(cut: Cut, everything: int) -> Iterator[Finding]:
    """Say what a model would not read to the end."""
    if cut.pairs:
        more = "" if cut.unit == "tokens" else " (tokens are more than words)"
        share = f"{cut.pairs:,} pair(s) ({cut.pairs / everything:.1%})"
        yield Finding(
            "warning", f"{share} are longer than {cut.longest:,} {cut.unit}{more} and would be cut{at(cut.examples)}."
        )


def about_characters(fault: CharacterFault, noun: str) -> Iterator[Finding]:
    """Say which characters look wrong; `noun` is what the records are called."""
    if fault.kind == IN_PIECES:  # the tokens put them together, so nothing is lost
        yield Finding("note", f"{fault.records:,} {noun} have {fault.kind}{at(fault.examples)}; they will be joined.")
    else:
        yield Finding("warning", f"{fault.records:,} {noun} have {fault.kind}{at(fault.examples)}.")


def at(places: Sequence[str]) -> str:
    """Return the first places in brackets, or nothing where none is known."""
    shown = ", ".join(place for place in places[:3] if place)
    return f" ({shown}{', …' if len(places) > 3 else ''})" if shown else ""
