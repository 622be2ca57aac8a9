"""The words of `demo:paraphrase`: people, things and verbs with their synonyms, and times and places."""

from dataclasses import dataclass
from typing import Literal

Frame = Literal["person", "thing"]  # whom or what the verb is done to


@dataclass(frozen=True, slots=True)
class Verb:
    """The forms of a verb that the grammar uses."""

    base: str
    past: str
    participle: str


@dataclass(frozen=True, slots=True)
class Act:
    """One meaning, by which verbs it can be said, and to what it is done."""

    verbs: tuple[Verb, ...]
    frame: Frame


def _acts(table: str, frame: Frame) -> tuple[Act, ...]:
    rows = ([form.split() for form in line.split(",")] for line in table.strip().splitlines())
    return tuple(Act(tuple(Verb(*forms) for forms in row), frame) for row in rows)


def _synonyms(table: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(name.strip() for name in line.split(",")) for line in table.strip().splitlines())


ACTS = (
    *_acts(
        """
thank thanked thanked
help helped helped, assist assisted assisted
hire hired hired, employ employed employed
rescue rescued rescued, save saved saved
phone phoned phoned, call called called
praise praised praised, commend commended commended
warn warned warned, alert alerted alerted
question questioned questioned, interrogate interrogated interrogated
visit visited visited
invite invited invited
follow followed followed, trail trailed trailed
forgive forgave forgiven, pardon pardoned pardoned
""",
        "person",
    ),
    *_acts(
        """
buy bought bought, purchase purchased purchased
sell sold sold
repair repaired repaired, fix fixed fixed, mend mended mended
paint painted painted
clean cleaned cleaned
steal stole stolen
hide hid hidden, conceal concealed concealed
choose chose chosen, select selected selected
deliver delivered delivered
break broke broken, smash smashed smashed
""",
        "thing",
    ),
)

PEOPLE = _synonyms("""
doctor, physician
lawyer, attorney
teacher, instructor
policeman, police officer
author, writer
driver, chauffeur
sailor, seaman
nurse
judge
baker
farmer
singer
pilot
gardener
painter
student
actor
engineer
butcher
tailor
""")

THINGS = _synonyms("""
bicycles, bikes
couches, sofas
carpets, rugs
cars, automobiles
boats
lamps
clocks
chairs
mirrors
kettles
cupboards
fences
""")

NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine")
# In groups of which only one can hold: what happened "in May" may also have happened "on Monday".
TIMES = (
    ("on Monday", "on Tuesday", "on Friday", "on Sunday"),
    ("in March", "in May", "in July", "in October"),
    ("this morning", "this afternoon", "this evening"),
)
PLACES = (
    ("in Paris", "in London", "in Rome", "in Vienna"),
    ("at the market", "at the station", "at the airport"),
    ("behind the church", "in front of the church"),
)
