"""`demo:paraphrase`: two generated sentences that say the same or do not.

    The doctor helped the pilot on Monday.   On Monday the pilot was assisted by the physician.   same
    The doctor helped the pilot on Monday.   On Monday the doctor was helped by the pilot.        different

Both kinds have most words in common: what differs is who did it to whom, whether it happened, how many, when or where.
What is unseen in valid and test is the act together with those who take part, in whatever roles.
"""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeVar, assert_never

from heed.data.demos.grammar import Corpus, Derivation, Draws, Weighted, assemble, capitalised, joined, split_of, weigh
from heed.data.demos.paraphrase_words import ACTS, NUMBERS, PEOPLE, PLACES, THINGS, TIMES, Act

T = TypeVar("T")

SEED = "heed paraphrase 1"
TRAIN_SIZE, HELD_OUT_SIZE = 8_000, 1_000

Voice = Literal["active", "passive", "cleft", "passive cleft"]
Change = Literal["roles", "denial", "number", "time", "place", "act"]

_VOICES: Weighted[Voice] = weigh([("active", 40), ("passive", 35), ("cleft", 15), ("passive cleft", 10)])
_DENIED_VOICES: Weighted[Voice] = weigh([("active", 50), ("passive", 50)])
_CHANGES_OF_PEOPLE: Weighted[Change] = weigh([("roles", 55), ("denial", 20), ("time", 9), ("place", 8), ("act", 8)])
_CHANGES_OF_THINGS: Weighted[Change] = weigh([("denial", 35), ("number", 35), ("time", 10), ("place", 10), ("act", 10)])


@dataclass(frozen=True, slots=True)
class Event:
    """What happened, free of any wording: people and things are all their synonyms."""

    agent: tuple[str, ...]
    act: Act
    patient: tuple[str, ...]
    number: str  # of the things; "" before a person
    time: str
    place: str  # "" where none is told
    is_denied: bool


@cache
def corpus() -> Corpus:
    """Return the three splits; the two texts of a pair stand on two lines of the source."""
    return assemble(derive, SEED, [], TRAIN_SIZE, HELD_OUT_SIZE)


def derive(draws: Draws) -> Derivation | None:
    """Return one pair of sentences; None where they are equal to the letter, or belong in different splits."""
    event = _event(draws)
    is_same = draws.chance(50)
    other = event if is_same else changed(event, draws)
    first, second = word(event, draws), word(other, draws)
    if first == second or split_of(_combination(event)) != split_of(_combination(other)):
        return None
    return Derivation(f"{first}\n{second}", "same" if is_same else "different", _combination(event))


def changed(event: Event, draws: Draws) -> Event:
    """Return an event that differs in one thing."""
    change = draws.pick_weighted(_CHANGES_OF_THINGS if event.number else _CHANGES_OF_PEOPLE)
    if change == "place" and not event.place:
        change = "time"
    match change:
        case "roles":
            return dataclasses.replace(event, agent=event.patient, patient=event.agent)
        case "denial":
            return dataclasses.replace(event, is_denied=not event.is_denied)
        case "number":
            return dataclasses.replace(event, number=_other(NUMBERS, event.number, draws))
        case "time":
            return dataclasses.replace(event, time=_other_of_group(TIMES, event.time, draws))
        case "place":
            return dataclasses.replace(event, place=_other_of_group(PLACES, event.place, draws))
        case "act":
            acts = tuple(act for act in ACTS if act.frame == event.act.frame)
            return dataclasses.replace(event, act=_other(acts, event.act, draws))
        case _:
            assert_never(change)


def word(event: Event, draws: Draws) -> str:
    """Return one of the sentences that tell the event."""
    # "It was not the doctor who …" would say that another did it.
    voice = draws.pick_weighted(_DENIED_VOICES if event.is_denied else _VOICES)
    agent, verb = f"the {draws.pick(event.agent)}", draws.pick(event.act.verbs)
    patient = joined(event.number or "the", draws.pick(event.patient))
    was = "were" if event.number else "was"
    denied = "not" if event.is_denied else ""
    match voice:
        case "active":
            told = joined(agent, f"did not {verb.base}" if event.is_denied else verb.past, patient)
        case "passive":
            told = joined(patient, was, denied, verb.participle, "by", agent)
        case "cleft":
            told = joined("it was", agent, "who", verb.past, patient)
        case "passive cleft":
            told = joined("it was", agent, "by whom", patient, was, verb.participle)
    if draws.chance(35):
        return capitalised(joined(event.time, told, event.place)) + "."
    return capitalised(joined(told, event.place, event.time)) + "."


def _event(draws: Draws) -> Event:
    act, agent = draws.pick(ACTS), draws.pick(PEOPLE)
    is_person = act.frame == "person"
    return Event(
        agent=agent,
        act=act,
        patient=_other(PEOPLE, agent, draws) if is_person else draws.pick(THINGS),
        number="" if is_person else draws.pick(NUMBERS),
        time=draws.pick(draws.pick(TIMES)),
        place=draws.pick(draws.pick(PLACES)) if draws.chance(30) else "",
        is_denied=draws.chance(25),
    )


def _other(options: Sequence[T], than: T, draws: Draws) -> T:
    return draws.pick([option for option in options if option != than])


def _other_of_group(groups: Sequence[Sequence[str]], than: str, draws: Draws) -> str:
    return next(_other(group, than, draws) for group in groups if than in group)


def _combination(event: Event) -> str:
    return " | ".join([event.act.verbs[0].base, *sorted((event.agent[0], event.patient[0]))])
