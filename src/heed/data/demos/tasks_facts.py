"""The questions of `demo:tasks`: facts of a small world, each asked in many ways.

Every fact is in train, under other phrasings than those by which test asks for it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from heed.data.demos.grammar import Derivation


@dataclass(frozen=True, slots=True)
class Relation:
    """A table of facts, the noun phrases that name one, and the questions that ask for one outright."""

    name: str
    names: tuple[str, ...]  # with {} for the thing asked about
    questions: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]


def _facts(table: str) -> tuple[tuple[str, str], ...]:
    rows = (line.split("|") for line in table.strip().splitlines())
    return tuple((thing.strip(), answer.strip()) for thing, answer in rows)


def _of_words(table: str) -> tuple[tuple[str, str], ...]:
    words = table.split()
    return tuple(zip(words[::2], words[1::2], strict=True))


_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]

RELATIONS = (
    Relation(
        "capital",
        ("the capital of {}", "the capital city of {}"),
        ("Which city is the capital of {}?", "{} has which capital?"),
        (
            *_of_words("""
France Paris Italy Rome Spain Madrid Germany Berlin Japan Tokyo China Beijing Vietnam Hanoi England London
Egypt Cairo Canada Ottawa Russia Moscow Greece Athens Norway Oslo Cuba Havana Peru Lima Kenya Nairobi
Portugal Lisbon Poland Warsaw Austria Vienna
"""),
            ("India", "New Delhi"),
        ),
    ),
    Relation(
        "continent",
        ("the continent of {}", "the continent where {} lies"),
        ("On which continent is {}?", "{} lies on which continent?"),
        (
            *_of_words("""
France Europe Italy Europe Spain Europe Germany Europe Japan Asia China Asia Vietnam Asia England Europe Egypt Africa
Greece Europe Norway Europe Kenya Africa Portugal Europe Poland Europe Austria Europe India Asia
"""),
            ("Canada", "North America"),
            ("Cuba", "North America"),
            ("Peru", "South America"),
        ),
    ),
    Relation(
        "language",
        ("the language of {}", "the main language of {}"),
        ("Which language do people speak in {}?", "What do people speak in {}?"),
        _of_words("""
France French Italy Italian Spain Spanish Germany German Japan Japanese China Chinese Vietnam Vietnamese England English
Egypt Arabic Russia Russian Greece Greek Norway Norwegian Cuba Spanish Portugal Portuguese Poland Polish Austria German
"""),
    ),
    Relation(
        "boiling point",
        ("the boiling point of {}", "the temperature at which {} boils"),
        ("At what temperature does {} boil?", "When does {} boil?"),
        _facts("""
water | 100 °C
ethanol | 78 °C
methanol | 65 °C
acetone | 56 °C
benzene | 80 °C
ammonia | -33 °C
oxygen | -183 °C
nitrogen | -196 °C
helium | -269 °C
mercury | 357 °C
iron | 2862 °C
"""),
    ),
    Relation(
        "melting point",
        ("the melting point of {}", "the temperature at which {} melts"),
        ("At what temperature does {} melt?", "When does {} melt?"),
        _facts("""
ice | 0 °C
iron | 1538 °C
gold | 1064 °C
silver | 962 °C
copper | 1085 °C
aluminum | 660 °C
lead | 327 °C
tin | 232 °C
zinc | 420 °C
mercury | -39 °C
"""),
    ),
    Relation(
        "symbol",
        ("the symbol of {}", "the chemical symbol for {}"),
        ("Which symbol stands for {}?", "How do chemists write {}?"),
        _of_words("""
hydrogen H helium He carbon C nitrogen N oxygen O sodium Na aluminum Al iron Fe copper Cu zinc Zn silver Ag tin Sn
gold Au mercury Hg lead Pb
"""),
    ),
    Relation(
        "colour",
        ("the color of {}", "the usual color of {}"),
        ("Which color does {} have?", "What color is {}?"),
        _facts("""
a banana | yellow
a lemon | yellow
grass | green
a frog | green
the sky | blue
snow | white
milk | white
blood | red
a tomato | red
a ruby | red
coal | black
a crow | black
chocolate | brown
a carrot | orange
"""),
    ),
    Relation(
        "legs",
        ("the number of legs of {}", "the number of legs that {} has"),
        ("How many legs does {} have?", "On how many legs does {} walk?"),
        _facts("""
a dog | four
a cat | four
a horse | four
a cow | four
a bird | two
a duck | two
a person | two
a bee | six
an ant | six
a fly | six
a spider | eight
a crab | ten
"""),
    ),
    Relation(
        "young",
        ("the young of {}", "the name for the young of {}"),
        ("What do we call the young of {}?", "How is the young of {} called?"),
        _facts("""
a dog | puppy
a cat | kitten
a cow | calf
a horse | foal
a sheep | lamb
a duck | duckling
a goose | gosling
a lion | cub
a goat | kid
a pig | piglet
a swan | cygnet
a kangaroo | joey
"""),
    ),
    Relation(
        "day",
        ("the day after {}", "the day that follows {}"),
        ("Which day comes after {}?", "Which day follows {}?"),
        tuple(zip(_DAYS, _DAYS[1:] + _DAYS[:1], strict=True)),
    ),
    Relation(
        "month",
        ("the month after {}", "the month that follows {}"),
        ("Which month comes after {}?", "Which month follows {}?"),
        tuple(zip(_MONTHS, _MONTHS[1:] + _MONTHS[:1], strict=True)),
    ),
    Relation(
        "opposite",
        ("the opposite of {}", "the contrary of {}"),
        ("Which word is the opposite of {}?", "Which word means the contrary of {}?"),
        _of_words("""
hot cold big small up down left right young old fast slow high low wet dry open closed rich poor full empty happy sad
"""),
    ),
)

_WRAPPINGS = (
    "What is {}?",
    "Tell me {}.",
    "Please tell me {}.",
    "Can you tell me {}?",
    "Could you tell me {}?",
    "Do you know {}?",
    "I want to know {}.",
    "I would like to know {}.",
    "I have forgotten {}.",
    "Name {}.",
    "Please name {}.",
    "Can you name {}?",
    "Give me {}.",
    "Who knows {}?",
)


@cache
def questions() -> tuple[Derivation, ...]:
    """Return every fact under every phrasing; the combination is exactly that pair."""
    return tuple(made for relation in RELATIONS for made in _of_relation(relation))


def _of_relation(relation: Relation) -> Iterator[Derivation]:
    phrasings = [wrapping.format(name) for wrapping in _WRAPPINGS for name in relation.names]
    for phrasing in (*phrasings, *relation.questions):
        for thing, answer in relation.facts:
            yield Derivation(
                f"answer: {phrasing.format(thing)}", answer, f"answer | {relation.name} {thing} | {phrasing}"
            )
