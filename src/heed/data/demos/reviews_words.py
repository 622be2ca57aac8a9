"""What a language brings to the reviews: things, words that judge them, and the templates of whole sentences."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

Label = Literal["negative", "neutral", "positive"]
# What may strengthen a word: "scale" as in "very friendly", "extreme" as in "absolutely awful", or nothing.
Degree = Literal["scale", "extreme", "none"]


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that a review judges; its kind says which words fit."""

    text: str
    kind: str
    is_many: bool = False  # "the noodles were"; Vietnamese has no need of it


@dataclass(frozen=True, slots=True)
class Judging:
    """A word that judges."""

    text: str
    label: Label
    degree: Degree
    is_deniable: bool  # "not awful" may still be bad, "not bad" may not


@dataclass(frozen=True)
class Language:
    """All that is needed to write reviews; templates have the slots that their comments name."""

    seed: str
    things: tuple[Thing, ...]
    judging: Mapping[str, tuple[Judging, ...]]  # by kind
    degrees: Mapping[Degree, tuple[str, ...]]  # {}
    denials: tuple[str, ...]  # {}: in place of the word that judges
    outer_denials: tuple[str, ...]  # {clause} or {thing} and {word}: around a whole clause
    neithers: tuple[str, ...]  # {}, {}
    additions: tuple[str, ...]  # {first}, {last}: both say the same
    contrasts: tuple[str, ...]  # {first}, {last}: the last one counts
    mixtures: tuple[str, ...]  # {first}, {last}; or {first}, {thing}, {also}: none counts more
    turns: tuple[str, ...]  # {thing}, {heard}, {clause}, {to_be}, {holder}; and {it_is}, which counts
    holders: tuple[str, ...]  # people who have told something
    affirming: tuple[str, ...]  # whole sentences, after a question
    denying: tuple[str, ...]
    verdicts: Mapping[Label, tuple[str, ...]]  # whole sentences
    details: tuple[str, ...]  # sentences that do not count, with the slots below
    slots: Mapping[str, tuple[str, ...]]
    clause: Callable[[Thing, str], str]  # "the soup was cold"
    it_is: Callable[[Thing, str], str]  # "it was cold"
    to_be: Callable[[Thing, str], str]  # "the soup to be cold"
    question: Callable[[Thing, str], str]  # "was the soup cold?"

    def words(self, kind: str, label: Label) -> list[Judging]:
        """Return the words that judge a thing of this kind so."""
        return [word for word in self.judging[kind] if word.label == label]


def things_of(table: str) -> tuple[Thing, ...]:
    """Return the things of a table with rows "kind | thing, thing, things*"; a star marks the plural."""
    rows = [line.split("|") for line in table.strip().splitlines()]
    return tuple(
        Thing(name.strip().rstrip("*"), kind.strip(), name.strip().endswith("*"))
        for kind, names in rows
        for name in names.split(",")
    )


def judging_of(table: str, neutral: str) -> dict[str, tuple[Judging, ...]]:
    """Return the words by kind from rows "kind + good words" and "kind - bad words"; neutral words fit every kind.

    A word ending in "!" is extreme and not denied, one ending in "." takes no degree and is not denied either.
    """
    calm = _judging(neutral, "neutral")
    found: dict[str, tuple[Judging, ...]] = {}
    for line in table.strip().splitlines():
        kind, sign, words = line.split(" ", maxsplit=2)
        found[kind] = found.get(kind, calm) + _judging(words, "positive" if sign == "+" else "negative")
    return found


def _judging(words: str, label: Label) -> tuple[Judging, ...]:
    degrees: dict[str, Degree] = {"!": "extreme", ".": "none"}
    listed = [word.strip() for word in words.split(",")]
    return tuple(
        Judging(word.rstrip("!."), label, degrees.get(word[-1], "scale"), word[-1] not in degrees) for word in listed
    )
